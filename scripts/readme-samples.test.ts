import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startProcess } from '@dataagent/guard'
import { createMcpManager } from '@dataagent/mcp'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { blocksOf } from './readme/page-blocks.ts'
import { commandsOf, refusalsIn, runCommands } from './readme/run-commands.ts'
import { repository } from './setup/paths.mjs'

const read = (name: string) => readFile(join(repository, 'examples', name, 'README.md'), 'utf8')

/** The arguments of the command of a page that starts this program. */
function argsOf(page: string, program: string): string[] {
  const lines = blocksOf(page, 'sh').flatMap((block) => block.split('\n'))
  const found = lines.find((line) => line.startsWith('node ') && line.includes(program))
  return `${found}`.split(' ').slice(1)
}

/** The tools of a program over standard input and output. */
async function toolsOf(args: string[], cwd: string): Promise<string[]> {
  await using manager = createMcpManager()
  await manager.addServer({ name: 'it', transport: 'stdio', command: process.execPath, args, cwd })
  return manager.connection('it').tools.map(({ name }) => name)
}

/** Where the programs of pages are, from another folder. */
const atHome = (words: string[]) =>
  words.map((word) => (word.startsWith('examples/') ? join(repository, word) : word))

test('the commands of the page of mall start it, and make it misbehave', async () => {
  const page = await read('mall')
  await using folder = await temporaryDirectory()
  let said = ''
  const args = atHome(argsOf(page, 'examples/mall/main.ts')).map((word) =>
    word === '8931' ? '0' : word,
  )
  await using mall = await startProcess({
    command: process.execPath,
    args,
    env: {},
    cwd: folder.path,
  })
  mall.stdout.on('data', (chunk) => {
    said += chunk
  })
  const [, port = ''] = await waitFor(() => /^listening on \S+:(\d+)\/sse$/m.exec(said))
  expect(page).toContain(`# ${said.trim().replace(port, '8931')}`)
  const ran = await runCommands(commandsOf(page), { places: { 8931: port }, cwd: folder.path })
  expect([ran.code, refusalsIn(ran)]).toEqual([0, []])
  expect(ran.said).toMatch(/^20\d POST .*\/_demo\/answer$/m)
})

test('mall starts as the page says that Claude Desktop starts it', async () => {
  const page = await read('mall')
  const blocks = blocksOf(page, 'json').map((block) => JSON.parse(block).mcpServers.mall)
  const [{ args }] = blocks.filter(({ command }) => command === 'node')
  const words = args.map((word: string) => word.replace('/path/to/dataagent', repository))
  const offered = await toolsOf(words, repository)
  const told = [...page.matchAll(/^\| `(mall4j\.[\w.]+)` \|/gm)].map(([, name]) => name)
  expect(offered.sort()).toEqual(told.sort())
})

test('the clinic starts over standard input and output with the tools of its page', async () => {
  const page = await read('clinic')
  await using folder = await temporaryDirectory()
  const offered = await toolsOf(atHome(argsOf(page, 'examples/clinic/main.ts')), folder.path)
  const told = [...page.matchAll(/^\| [^|]*\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(offered.sort()).toEqual(told.sort())
})
