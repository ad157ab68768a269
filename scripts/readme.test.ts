import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEverything } from '../examples/mcp-client/servers/everything.ts'
import { startGuarded } from '../examples/mcp-client/servers/guarded.ts'
import { readMembers } from './readme/test-type-members.ts'
import { repository } from './setup/paths.mjs'

const text = await readFile(join(repository, 'packages/mcp/README.md'), 'utf8')
const membersOf = await readMembers(join(repository, 'packages/mcp/src'))

describe('the page of the MCP client [C8.1]: its tables', () => {
  const tables = [...text.matchAll(/<!-- (?:fields|kinds) of (\w+) -->\n((?:\|.*\n)+)/g)]

  test.each(tables.map(([, type, table]) => [`${type}`, `${table}`]))('%s', (type, table) => {
    const listed = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual(membersOf(type).sort())
  })

  test('there is one for each type that a user fills in', () => {
    expect(tables.map(([, type]) => type)).toEqual([
      'McpServerConfig',
      'AddServerOptions',
      'McpManagerOptions',
      'RequestOptions',
      'McpErrorKind',
    ])
  })
})

describe('the page of the MCP client [C8.1]: its programs', () => {
  const cleanup = new AsyncDisposableStack()
  let places: Record<string, string>
  let folder: string

  beforeAll(async () => {
    places = {
      'http://localhost:3001/mcp': cleanup.use(await startEverything()).url,
      'http://localhost:3002/mcp': cleanup.use(await startGuarded()).url,
      './browser.ts': join(repository, 'examples/mcp-client/servers/person.ts'),
    }
    await mkdir(join(repository, '.cache'), { recursive: true })
    folder = await mkdtemp(join(repository, '.cache/readme-'))
  })

  afterAll(async () => {
    await cleanup.disposeAsync()
    await rm(folder, { recursive: true, force: true })
  })

  // A block that imports begins a program, which the blocks after it continue.
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => `${code}`)
  const programs = blocks
    .join('')
    .split(/^(?=import .* from '@dataagent\/mcp'$)/m)
    .map((program, index) => [`${index + 1}`, program])

  test.each(programs)('program %s runs', { timeout: 100_000 }, async (name, program) => {
    const file = join(folder, `${name}.ts`)
    const real = Object.entries(places).reduce((code, place) => code.replaceAll(...place), program)
    await writeFile(file, real)
    const args = ['--conditions=dataagent-source', file]
    const options = { cwd: folder, timeout: 90_000 }
    const { stdout } = await promisify(execFile)(process.execPath, args, options)
    expect(stdout).not.toBe('')
  })
})

test('the page of the MCP client [C8.1] links to what is there', async () => {
  const links = [...text.matchAll(/\]\((\.\.\/[^)#]+)\)/g)].map(([, path]) => `${path}`)
  expect(links.length).toBeGreaterThan(0)
  for (const link of links) {
    const path = join(repository, 'packages/mcp', link)
    await expect(readFile(path).catch(() => readdir(path))).resolves.toBeDefined()
  }
})

test('the page of the MCP client [C8.1] has each subject', () => {
  const headings = [...text.matchAll(/^###? (.+)$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual(
    expect.arrayContaining([
      'Quick start',
      'Servers',
      'Filters',
      'Tools for a model',
      'Stdio',
      'Tracing',
    ]),
  )
  for (const said of ["server's own name of a tool", 'Injection is yours', '@dataagent/core']) {
    expect(text).toContain(said)
  }
})
