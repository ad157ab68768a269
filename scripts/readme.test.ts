import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startEverything } from '../examples/mcp-client/servers/everything.ts'
import { startGuarded } from '../examples/mcp-client/servers/guarded.ts'
import {
  describePrograms,
  describeTables,
  headingsOf,
  readPage,
  testLinks,
} from './readme/describe-page.ts'
import { repository } from './setup/paths.mjs'

const page = await readPage('the page of the MCP client [C8.1]', 'packages/mcp')

await describeTables(page, [
  'McpServerConfig',
  'AddServerOptions',
  'McpManagerOptions',
  'RequestOptions',
  'McpErrorKind',
])

describePrograms(page, {
  startPlaces: async (cleanup) => ({
    'http://localhost:3001/mcp': cleanup.use(await startEverything()).url,
    'http://localhost:3002/mcp': cleanup.use(await startGuarded()).url,
    './browser.ts': join(repository, 'examples/mcp-client/servers/person.ts'),
  }),
})

testLinks(page)

test('the page of the MCP client [C8.1] has each subject', () => {
  expect(headingsOf(page)).toEqual(expect.arrayContaining(Object.keys(subjects)))
})

/** What each of them has to say. */
const subjects: Record<string, readonly RegExp[]> = {
  'Quick start': [/```ts[^`]*transport: 'stdio'/, /```ts[^`]*transport: 'http'/],
  Servers: [/<!-- fields of McpServerConfig -->/],
  Filters: [/server's own name of a tool/],
  'Tools for a model': [/Injection is yours/, /`AgentLoop` of `@dataagent\/core`/],
  Stdio: [/One JSON-RPC message a line/, /standard error is its log[^.]*kept\s+apart/],
  Tracing: [/left out unless you set `traceArgs`/, /```ts[^`]*traceArgs: true/],
}

test.each(Object.entries(subjects))(
  'the page of the MCP client [C8.1] tells of %s',
  (name, said) => {
    const [, rest = ''] = page.text.split(new RegExp(`^#+ ${name}$`, 'm'))
    const [section] = rest.split(/^## /m)
    for (const words of said) expect(section).toMatch(words)
  },
)
