import { apiRoutes } from '../../apps/server/src/api/index.ts'
import { tags } from '../../apps/server/src/deps/index.ts'
import {
  isReference,
  type OpenApiDocument,
  type Operation,
  type Schema,
} from '../../apps/server/src/models/document.ts'
import { toOpenApi } from '../../apps/server/src/models/index.ts'
import { escapeCell, toTable, toType } from './schema-table.ts'

const introduction = `# Routes

<!-- Generated from apps/server and packages/schema by \`npm run docs\`. Change the routes instead. -->

Every route of the server, by subject, and the shapes that they take and give. What holds for all of
them (keys, errors, lists, sending twice) is in [the API](api.md). A running server has the same for
programs at \`/api/v1/openapi.json\` (OpenAPI 3.1) and for people at \`/api/v1/docs\`.

All paths are under \`/api/v1\`. In the tables \`?\` marks what may be absent, \`time\` is whole
milliseconds since 1970-01-01T00:00:00Z, and \`id\` is 1 to 128 letters, digits or \`. _ @ + -\`, the
first a letter or digit.
`

/** The page docs/routes.md. */
export function renderRoutes(): string {
  const document = toOpenApi(apiRoutes(nothing()), { version: '' })
  const shapes = Object.entries(document.components.schemas)
  const page = [
    introduction,
    ...tags.map((tag) => renderSubject(document, tag)),
    ...['## Shapes', ''],
    ...shapes.flatMap(([name, shape]) => [`### ${name}`, '', ...toTable(shape), '']),
  ].join('\n')
  return `${page.trimEnd()}\n`
}

/** Stands for a whole platform: routes are described here, and none is called. */
function nothing(): never {
  const whatever: unknown = new Proxy(() => undefined, {
    get: (_, name) => (name === Symbol.toPrimitive ? () => '' : whatever),
    apply: () => whatever,
  })
  return whatever as never
}

function renderSubject({ paths, tags }: OpenApiDocument, tag: string): string {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => renderRow(method, path, operation)),
  )
  if (rows.length === 0) return ''
  return [
    ...[`## ${tag}`, '', `${tags.find(({ name }) => name === tag)?.description}`, ''],
    ...['| route | | who | takes | gives |', '| --- | --- | --- | --- | --- |', ...rows, ''],
  ].join('\n')
}

function renderRow(method: string, path: string, operation: Operation): string {
  const route = `\`${method.toUpperCase()} ${path.replace('/api/v1', '')}\``
  const { summary, description = '' } = operation
  const [who] = description.replace(/^For /, '').split('.')
  const cells = [route, escapeCell(summary), `${who}`, takenBy(operation), givenBy(operation)]
  return `|${cells.map((cell) => (cell === '' ? ' |' : ` ${cell} |`)).join('')}`
}

function takenBy({ parameters = [], requestBody }: Operation): string {
  const query = parameters.flatMap((parameter) =>
    isReference(parameter) || parameter.in !== 'query' ? [] : `\`${parameter.name}\``,
  )
  return [...query, ...contentOf(requestBody)].join(', ')
}

function givenBy({ responses }: Operation): string {
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return success && !isReference(success[1]) ? contentOf(success[1]).join(' or ') : ''
}

function contentOf(body: { content?: Record<string, { schema: Schema }> } | undefined): string[] {
  return Object.entries(body?.content ?? {}).map(([type, { schema }]) =>
    type === 'application/json' ? toShortType(schema) : `\`${type}\``,
  )
}

/** Of an object without a name, its fields. */
function toShortType(schema: Schema): string {
  const fields = Object.keys(schema.properties ?? {})
  return fields.length > 0 ? fields.map((field) => `\`${field}\``).join(', ') : toType(schema)
}
