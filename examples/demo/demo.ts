// npm run demo [-- embedded workers databases]: from a first start to other people's clients, on
// data of its own that is gone afterwards. Without names, on what npm start gives.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setUpServersAndAgents } from './1-servers-and-agents.ts'
import { chat } from './2-chat.ts'
import { loseAndFindServers } from './3-lost-and-back.ts'
import { offerOutside } from './4-outside.ts'
import { createNarrator } from './narrator.ts'
import { startPlatform } from './platform.ts'
import { openScene } from './scene.ts'
import { stages } from './stages.ts'

type StageName = keyof typeof stages

const names = process.argv.slice(2)
const unknown = names.filter((name) => !Object.hasOwn(stages, name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. Known: ${Object.keys(stages).join(', ')}`)
  process.exit(2)
}
const narrator = createNarrator()
for (const name of (names.length > 0 ? names : ['embedded']) as StageName[]) await walk(name)
console.log(`\n${narrator.sum()}`)

async function walk(name: StageName): Promise<void> {
  const { title, open } = stages[name]
  narrator.part(title)
  await using stage = await open()
  if (stage === undefined) return
  await using folder = await mkdtempDisposable(join(tmpdir(), 'demo-'))
  const { env } = stage
  await using platform = await narrator.step('the platform starts and shows its key', () =>
    startPlatform({ folder: folder.path, env }),
  )
  await using scene = await narrator.step('a user is made; a shop and a model are started', () =>
    openScene(narrator, platform),
  )
  await setUpServersAndAgents(scene)
  await chat(scene)
  await loseAndFindServers(scene)
  await offerOutside(scene)
}
