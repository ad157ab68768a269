import type { z } from 'zod'
import type { Route } from '../deps/index.ts'
import type { Content, Operation, Parameter, Reference, Response, Schema } from './document.ts'
import type { NamedSchemas } from './named-schemas.ts'
import { type ResponseName, responseRef } from './shared-parts.ts'

/** What the document says of one route. */
export function toOperation(route: Route, schemas: NamedSchemas): Operation {
  const parameters = toParameters(route, schemas)
  const content = requestContent(route, schemas)
  return {
    operationId: toOperationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: describeAccess(route),
    security: route.access === 'public' ? [] : [{ apiKey: [] }, { bearer: [] }, { cookie: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(content && { requestBody: { required: true, content } }),
    responses: toResponses(route, schemas),
  }
}

/** `GET /sessions/:session_id` is getSessionsBySessionId. */
function toOperationId({ method, path }: Route): string {
  const words = path.split('/').map((part) => {
    const pascal = part.replace(/(^:?|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_all, _gap, letter: string) =>
      letter.toUpperCase(),
    )
    return part.startsWith(':') ? `By${pascal}` : pascal
  })
  return `${method.toLowerCase()}${words.join('')}`
}

const accessTexts: Record<Route['access'], string> = {
  public: 'For everyone, without signing in.',
  member: 'For everyone who is signed in, auditors too.',
  user: 'For users and administrators.',
  auditor: 'For auditors and administrators.',
  admin: 'For administrators.',
  platform_admin: 'For administrators of the platform.',
}

function describeAccess({ access, lane }: Route): string {
  const always = lane === 'reserved' ? ' Answered also while the server sheds load.' : ''
  return `${accessTexts[access]}${always}`
}

function toParameters(route: Route, schemas: NamedSchemas): (Parameter | Reference)[] {
  const own = [
    ...partsOf(schemas.spellOut(route.params, 'input'), 'path'),
    ...partsOf(schemas.spellOut(route.query, 'input'), 'query'),
  ]
  return route.creates ? [...own, { $ref: '#/components/parameters/IdempotencyKey' }] : own
}

function partsOf(schema: Schema, where: 'path' | 'query'): Parameter[] {
  const { properties = {}, required = [] } = schema as z.core.JSONSchema.ObjectSchema
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as Schema
    return {
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema: rest,
      ...(typeof description === 'string' && { description }),
    }
  })
}

const bytes: Schema = { type: 'string', format: 'binary' }
const text: Schema = { type: 'string' }

function requestContent({ body, raw }: Route, schemas: NamedSchemas): Content | undefined {
  if (raw?.consumes) return { [raw.consumes]: { schema: bytes } }
  return body && { 'application/json': { schema: schemas.toSchema(body, 'input') } }
}

function answerContent({ answer, raw }: Route, schemas: NamedSchemas): Content | undefined {
  const schema = answer && schemas.toSchema(answer, 'output')
  const json = schema && { 'application/json': { schema } }
  if (!raw?.produces) return json
  const types = raw.produces.split(',').map((type) => type.trim())
  const sent = types.map((type) => [type, { schema: type.startsWith('text/') ? text : bytes }])
  return { ...Object.fromEntries(sent), ...json }
}

function toResponses(route: Route, schemas: NamedSchemas): Operation['responses'] {
  const content = answerContent(route, schemas)
  const success: Response = {
    description: describeSuccess(route, content !== undefined),
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
    ...(content && { content }),
  }
  const errors = Object.entries(errorsOf(route)).map(([status, name]) => [
    status,
    responseRef(name),
  ])
  return { [route.status]: success, ...Object.fromEntries(errors) }
}

function describeSuccess({ status, method }: Route, hasContent: boolean): string {
  if (!hasContent) return 'Done. The answer has no body.'
  if (status === 201) return 'Made. The answer shows it.'
  return method === 'GET' ? 'What was asked for.' : 'Done. The answer shows the outcome.'
}

function errorsOf(route: Route): Record<string, ResponseName> {
  const takesBody = route.body !== undefined || route.raw?.consumes !== undefined
  return {
    400: 'Invalid',
    ...(route.access !== 'public' && { 401: 'Unauthenticated', 403: 'Forbidden' }),
    404: 'NotFound',
    ...(route.method !== 'GET' && { 409: 'Conflict' }),
    ...(takesBody && { 413: 'TooLarge', 415: 'UnsupportedMediaType' }),
    429: 'TooMany',
    503: 'Unavailable',
    default: 'Failed',
  }
}
