import { describePrograms, readPage } from './readme/describe-page.ts'

const prints = {
  schema: /^Good morning\ninvalid_request .*event/,
  guard: /^\w+\nBuy milk\npath_denied\nThe password is \*\*\*\.\n$/,
  store: /"Hello"[\s\S]*used[\s\S]*\na secret\n$/,
}

for (const [folder, printed] of Object.entries(prints)) {
  const page = await readPage(`the page of ${folder}`, `packages/${folder}`)
  describePrograms(page, { startPlaces: async () => ({}), prints: [printed] })
}
