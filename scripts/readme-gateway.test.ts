import { describePrograms, describeTables, readPage, testLinks } from './readme/describe-page.ts'

const page = await readPage('the page of the gateway', 'packages/gateway')

await describeTables(page, ['GatewayOptions', 'GatewaySettings'])

describePrograms(page, {
  startPlaces: async () => ({}),
  prints: [/^http:\/\/localhost:\d+\/mcp\/g\/reception\n\{"jsonrpc".*Good morning, Ada!/],
})

testLinks(page)
