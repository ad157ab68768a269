import { expect, test } from 'vitest'
import type { Operation } from './document.ts'
import { toOpenApi } from './open-api.ts'
import { findFaults } from './test-document-shape.ts'
import { testRoutes } from './test-routes.ts'

const document = toOpenApi(testRoutes, { version: '1.2.3', publicUrl: 'https://agent.example/' })
const operationAt = (path: string, method: string) =>
  document.paths[`/api/v1${path}`]?.[method] as Operation

test('the document has the structure of OpenAPI 3.1 and no reference leads nowhere [D21.1]', () => {
  expect(findFaults(document)).toEqual([])
})

test('the check of the structure finds what is wrong', () => {
  const broken = structuredClone(document)
  const operation = broken.paths['/api/v1/chat']?.post as Operation
  Object.assign(operation, { respones: {} })
  operation.responses['200'] = { $ref: '#/components/responses/Missing' }
  Object.assign(broken.components.schemas, { Bad: { type: 'strin' } })
  const faults = findFaults(broken).join('\n')
  expect(faults).toContain('/paths/~1api~1v1~1chat/post must NOT have additional properties')
  expect(faults).toContain('/components/schemas/Bad/type must be equal to one of')
  expect(faults).toContain('#/components/responses/Missing is not there')
})

test('a payload has one schema under its name, used wherever it occurs', () => {
  const { schemas } = document.components
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining(['ChatRequest', 'ChatResponse', 'SessionInfo', 'ErrorResponse']),
  )
  expect(Object.keys(schemas)).toContain('WebSocketMessage')
  const inPage = schemas.SessionsPage as { properties: { sessions: { items: unknown } } }
  expect(inPage.properties.sessions.items).toEqual({ $ref: '#/components/schemas/SessionInfo' })
})

test('what is sent refuses unknown fields; what is got does not, and has its defaults', () => {
  const { TenantCreate, Tenant } = document.components.schemas
  expect(TenantCreate).toMatchObject({ additionalProperties: false })
  expect(TenantCreate?.required).not.toContain('max_users')
  expect(Tenant).not.toHaveProperty('additionalProperties')
})

test('every operation says its errors, and who may call it', () => {
  for (const methods of Object.values(document.paths))
    for (const operation of Object.values(methods))
      expect(operation.responses.default).toEqual({ $ref: '#/components/responses/Failed' })
  expect(operationAt('/chat', 'post').security).toEqual([
    { apiKey: [] },
    { bearer: [] },
    { cookie: [] },
  ])
  expect(operationAt('/health', 'get').security).toEqual([])
})

test('parameters of path and query, the key of a repeated request, bodies that are no JSON', () => {
  expect(operationAt('/sessions/{session_id}', 'get').parameters).toMatchObject([
    { name: 'session_id', in: 'path', required: true },
  ])
  expect(operationAt('/sessions', 'get').parameters).toMatchObject([
    { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 200 } },
    { name: 'offset', in: 'query', required: false },
  ])
  expect(operationAt('/chat', 'post').parameters).toEqual([
    { $ref: '#/components/parameters/IdempotencyKey' },
  ])
  expect(operationAt('/files/content', 'put').requestBody?.content).toHaveProperty([
    'application/octet-stream',
  ])
  expect(operationAt('/chat', 'post').responses['200']).toMatchObject({
    content: { 'application/json': {}, 'text/event-stream': {} },
  })
  expect(operationAt('/sessions/{session_id}', 'delete').responses['204']).not.toHaveProperty(
    'content',
  )
})

test('no two operations have the same name; the server is where clients reach it', () => {
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  )
  expect(new Set(ids).size).toBe(testRoutes.length)
  expect(ids).toContain('getSessionsBySessionId')
  expect(document.servers).toEqual([{ url: 'https://agent.example' }])
})
