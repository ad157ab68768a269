import { webSocketMessageSchema } from '@dataagent/schema'
import { type Route, tags } from '../deps/index.ts'
import type { OpenApiDocument, Operation } from './document.ts'
import { createNamedSchemas } from './named-schemas.ts'
import { toOperation } from './operation.ts'
import { mapRefs } from './refs.ts'
import { headers, parameters, toErrorAnswers, toSecuritySchemes } from './shared-parts.ts'
import { tagTexts } from './tag-texts.ts'

export interface OpenApiOptions {
  version: string
  /** Where clients reach the server; without it, where they got the document from. */
  publicUrl?: string | undefined
}

/** The OpenAPI 3.1 document of these routes. */
export function toOpenApi(
  routes: readonly Route[],
  { version, publicUrl }: OpenApiOptions,
): OpenApiDocument {
  const schemas = createNamedSchemas()
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) addOperation(paths, route, toOperation(route, schemas))
  const responses = toErrorAnswers(schemas)
  const socket = schemas.toSchema(webSocketMessageSchema, 'input')
  return withPlainNames({
    openapi: '3.1.0',
    info: { title: 'DataAgent', version, description, license },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: publicUrl?.replace(/\/+$/, '') ?? '/' }],
    tags: tags.map((name) => ({ name, description: tagTexts[name].en })),
    paths,
    components: {
      schemas: schemas.reachable([paths, responses, socket]),
      responses,
      parameters,
      headers,
      securitySchemes: toSecuritySchemes('dataagent'),
    },
  })
}

/** Only a contract that is both sent and got, differently, needs two names. */
function withPlainNames(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components
  const plain = (name: string) => {
    const stem = name.replace(/Input$/, '')
    return stem in schemas ? name : stem
  }
  const named = mapRefs(document, plain)
  const entries = Object.entries(named.components.schemas).map(([id, one]) => [plain(id), one])
  const components = { ...named.components, schemas: Object.fromEntries(entries) }
  return { ...named, components }
}

function addOperation(paths: OpenApiDocument['paths'], route: Route, operation: Operation): void {
  const path = `/api/v1${route.path.replace(/:(\w+)/g, '{$1}')}`
  paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
}

const license = { name: 'Apache License 2.0', identifier: 'Apache-2.0' }

const description = [
  'Give AI agents tools over MCP and stay in charge of them.',
  'Every answer that is no success has the body ErrorResponse. What one may not see is 404, as what does not exist.',
  'Lists take `limit` and `offset`. Bodies are JSON; a field that is not known is refused.',
  'Conversations are also held over the WebSocket `/ws/chat/{session_id}`: the client sends WebSocketMessage, the server events.',
].join('\n\n')
