import { join } from 'node:path'
import { settingsSchema } from '@dataagent/core'
import { eventTypes } from '@dataagent/schema'
import { startModelStandIn } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startEverything } from '../examples/mcp-client/servers/everything.ts'
import { describePrograms, describeTables, readPage, testLinks } from './readme/describe-page.ts'
import { repository } from './setup/paths.mjs'

const page = await readPage('the page of the agent', 'packages/core')

await describeTables(page, [
  'AgentConfig',
  'AgentFactoryOptions',
  'ExecuteContext',
  'AgentMiddleware',
  'AgentLoopOptions',
])

describePrograms(page, {
  startPlaces: async (cleanup) => ({
    'http://localhost:3001/mcp': cleanup.use(await startEverything()).url,
    'http://localhost:11434': cleanup.use(await startModelStandIn()).url,
    './open-agents.ts': join(repository, 'examples/agents/open-agents.ts'),
  }),
  prints: [
    /\+buy milk/,
    /write_file[\s\S]+event_type: 'done'/,
    /Sent to bob@example.com: Good morning!/,
    /You said: Hello/,
    /^intent: \d+ tokens, \d+ saved/,
    /^demo:rules: \d+ ms/,
    /three most important numbers/,
    /^The tools answered: \S+ answered 2\n/,
  ],
})

testLinks(page)

test('the page of the agent tells of every kind of event [D2.1]', () => {
  expect(namesIn('event_type')).toEqual([...eventTypes].sort())
})

test('the page of the agent tells of every variable and its default [D6.4]', () => {
  const told = rowsUnder('variable').map((cells) => [cells.at(0), cells.at(-1)])
  const fields = Object.entries(settingsSchema.shape)
  const meant = fields.map(([name, field]) => [name, field.parse(undefined) ?? saidDefault(field)])
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(meant))
})

/** Where there is no value by itself, its description says what holds. */
const saidDefault = ({ description }: { description?: string | undefined }) =>
  description?.match(/Default: (.+)$/)?.[1]

/** The names in the first column of the table with that heading. */
function namesIn(heading: string): string[] {
  return rowsUnder(heading)
    .map(([name]) => `${name}`)
    .sort()
}

/** The cells of the table with that heading, without the marks of code. */
function rowsUnder(heading: string): string[][] {
  const [, rows = ''] =
    page.text.match(new RegExp(`^\\| \`?${heading}\`? \\|.*\n.*\n((?:\\|.*\n)+)`, 'm')) ?? []
  return rows
    .trim()
    .split('\n')
    .map((row) => row.replaceAll('`', '').split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
}
