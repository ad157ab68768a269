import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Schema } from '../../apps/server/src/models/document.ts'
import { createNamedSchemas } from '../../apps/server/src/models/named-schemas.ts'
import { eventSchemas } from '../../packages/schema/src/events/execution-event.ts'
import { webSocketMessageSchema } from '../../packages/schema/src/ws/client-message.ts'
import { noticeSchema } from '../../packages/schema/src/ws/server-message.ts'
import { repository } from '../setup/paths.mjs'
import { toTable } from './schema-table.ts'

const introduction = `# Events and messages

<!-- Generated from packages/schema by \`npm run docs\`. Change the schemas, not this page. -->

A turn is a list of events. What they mean together, and how to follow them without missing one, is
in [the API](api.md#a-turn); in TypeScript [@dataagent/client](../packages/client/README.md) has all
of them typed.

In the tables \`?\` marks a field that may be absent, \`time\` is whole milliseconds since
1970-01-01T00:00:00Z, and \`id\` is 1 to 128 letters, digits or \`. _ @ + -\`, the first a letter or
digit. Pass over kinds and fields that you do not know: a newer server may have more.

Every event has \`event_type\` and \`timestamp\` (time). One that is sent or logged also has
\`session_id\`, \`seq\` (its number in the session's log, from 1 without gaps) and, within a run,
\`run_id\`; a piece of text that is not logged yet has \`offset\`. An event of a sub-agent has
\`parent_tool_call_id\`.
`

/** What the sources say of a kind stands above its schema; of these they say nothing. */
const said: Record<string, string> = {
  session_state: 'What the session does has changed: the run waits for a person, or goes on.',
  pong: 'The answer to `ping`.',
  chat: 'A message of the user: it begins a turn.',
  cancel: 'Stops the turn.',
  hitl_decision: 'Decides an approval.',
  resume: 'Sends what came after this point, then goes on live.',
  ping: 'Is answered with `pong`.',
}

type Comments = ReadonlyMap<string, string>

/** The page docs/events.md. */
export function renderEvents(): string {
  const comments = readComments()
  const schemas = createNamedSchemas()
  const events = eventSchemas.map((schema) => schemas.spellOut(schema, 'output'))
  const notices = choicesOf(schemas.spellOut(noticeSchema, 'output'))
  const messages = choicesOf(schemas.spellOut(webSocketMessageSchema, 'input'))
  const shapes = schemas.reachable([events, notices, messages])
  const page = [
    introduction,
    ...['## Events', '', ...events.map((event) => renderKind(event, 'event_type', comments))],
    '## Notices',
    '',
    'What the server says on a socket besides events. They are not logged and not sent again.',
    '',
    ...notices.map((notice) => renderKind(notice, 'event_type', comments)),
    '## Messages',
    '',
    'What a client sends on a socket: `type` and, where there are fields, `payload`.',
    '',
    ...messages.map((message) => renderKind(message, 'type', comments)),
    ...['## Shapes', '', 'What several of them have in common.', ''],
    ...Object.entries(shapes).flatMap(([name, shape]) => [
      `### ${name}`,
      '',
      ...toTable(shape),
      '',
    ]),
  ].join('\n')
  return `${withPlainNames(page, Object.keys(shapes)).trimEnd()}\n`
}

/** Only a shape that is both sent and got, differently, needs two names. */
function withPlainNames(page: string, names: readonly string[]): string {
  const sent = names.filter((name) => name.endsWith('Input'))
  const plain = sent.filter((name) => !names.includes(name.replace(/Input$/, '')))
  return plain.reduce(
    (text, name) => text.replaceAll(new RegExp(`${name}\\b`, 'gi'), (found) => found.slice(0, -5)),
    page,
  )
}

function choicesOf(schema: Schema): Schema[] {
  return [schema.anyOf ?? schema.oneOf ?? []].flat() as Schema[]
}

function renderKind(schema: Schema, by: 'event_type' | 'type', comments: Comments): string {
  const kind = String((schema.properties as Record<string, Schema>)[by]?.const)
  const table = toTable(schema, [by, 'timestamp'])
  const hasFields = table.length > 1
  const about = comments.get(kind) ?? said[kind]
  if (about === undefined) throw new Error(`nothing is said of ${kind}`)
  return [`### ${kind}`, '', about, '', ...(hasFields ? [...table, ''] : [])].join('\n')
}

/** The comment that stands above the schema of each kind. */
function readComments(): Comments {
  const files = ['execution-events', 'session-events'].map((name) => `events/${name}`)
  const texts = [...files, 'ws/server-message', 'ws/client-message'].map((file) =>
    readFileSync(join(repository, `packages/schema/src/${file}.ts`), 'utf8'),
  )
  const found = texts.flatMap((text) => [...text.matchAll(commentOfKind)])
  return new Map(found.map(([, comment = '', kind = '']) => [kind, toProse(comment)]))
}

const commentOfKind = new RegExp(
  [
    String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/`,
    String.raw`\s*(?:export )?(?:const \w+ = )?\w[\w.]*\(\{`,
    String.raw`\s*(?:event_)?type: z\.literal\('(\w+)'\)`,
  ].join(''),
  'g',
)

function toProse(comment: string): string {
  return comment.replace(/\n\s*\* ?/g, ' ').trim()
}
