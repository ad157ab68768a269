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
  expect(headingsOf(page)).toEqual(
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
    expect(page.text).toContain(said)
  }
})
