import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { serverConfigSchema, serverInfoSchema, serverUpdateSchema } from '../servers/index.ts'
import { webSocketMessageSchema } from '../ws/index.ts'
import * as rest from './index.ts'

const { chatRequestSchema, pageQuerySchema, tenantCreateSchema, tenantUpdateSchema } = rest
const sent = /(Request|Create|Update|Fork|Query|Params)Schema$|^templateListSchema$/
const schemas = Object.entries<unknown>({ ...rest, serverInfoSchema }).flatMap(([name, schema]) =>
  schema instanceof z.ZodType ? [{ name, schema }] : [],
)
const answers = schemas.filter(({ name }) => !sent.test(name))
const requests = [
  ...schemas.filter(({ name }) => sent.test(name)),
  { name: 'serverConfigSchema', schema: serverConfigSchema },
  { name: 'serverUpdateSchema', schema: serverUpdateSchema },
  { name: 'webSocketMessageSchema', schema: webSocketMessageSchema },
]

describe('every contract has a JSON Schema', () => {
  test.each(requests)('$name, which knows no further fields [T48]', ({ schema }) => {
    const converted = z.toJSONSchema(schema, { io: 'input' })
    const objects = converted.oneOf ?? [converted]
    expect(objects.map((object) => object.additionalProperties)).toEqual(objects.map(() => false))
  })

  test.each(answers)('$name', ({ schema }) => {
    expect(z.toJSONSchema(schema)).toMatchObject({ $schema: expect.any(String) })
  })

  test('and there are many of both kinds', () => {
    expect(requests.length).toBeGreaterThan(40)
    expect(answers.length).toBeGreaterThan(40)
  })
})

const fieldsOf = (schema: z.ZodType) => {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  return Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`))
}

test('a chat request is message, session_id?, assistant_id? and an id for repeats [D21.2]', () => {
  const fields = ['message', 'session_id?', 'assistant_id?', 'message_id?']
  expect(fieldsOf(chatRequestSchema)).toEqual(fields)
})

test('a chat response is session_id, events [D21.3]', () => {
  expect(fieldsOf(rest.chatResponseSchema)).toEqual(['session_id', 'events'])
  const events = [
    { event_type: 'text', timestamp: 1, content: 'a', is_final: true, more: { a: 1 } },
    { event_type: 'from_tomorrow', timestamp: 2, x: [] },
  ]
  const response = { session_id: 's1', events }
  expect(rest.chatResponseSchema.parse(response)).toEqual(response)
  const broken = { session_id: 's1', events: [{ event_type: 'text', timestamp: 1 }] }
  expect(rest.chatResponseSchema.safeParse(broken).success).toBe(false)
})

test('a session info has its five fields [D21.4]', () => {
  const fields = fieldsOf(rest.sessionInfoSchema).filter((name) => !name.endsWith('?'))
  expect(fields).toEqual(['session_id', 'user_id', 'assistant_id', 'created_at', 'last_active'])
})

test('an error response is error_code, message, details? [D21.5]', () => {
  expect(fieldsOf(rest.errorResponseSchema)).toEqual(['error_code', 'message', 'details?'])
})

test('an answer with fields of a newer server is read', () => {
  const health = { status: 'ok', version: '1', uptime: 3, region: 'x' }
  expect(rest.healthResponseSchema.parse(health)).toMatchObject({ status: 'ok', uptime: 3 })
})

test('a page query is read from text and bounded', () => {
  expect(pageQuerySchema.parse({ limit: '20' })).toEqual({ limit: 20, offset: 0 })
  for (const query of [{ limit: '0' }, { limit: '201' }, { offset: '-1' }, { limit: 'all' }])
    expect(pageQuerySchema.safeParse(query).success).toBe(false)
})

test('a tenant is made without limits but for the workspace', () => {
  expect(tenantCreateSchema.parse({ tenant_id: 't1', name: 'Clinic' })).toEqual({
    tenant_id: 't1',
    name: 'Clinic',
    max_users: null,
    max_sessions_per_user: null,
    max_mcp_servers: null,
    workspace_quota: 1_073_741_824,
    features_enabled: ['*'],
  })
})

test('an update of a tenant changes only what it names, never whose it is', () => {
  expect(tenantUpdateSchema.parse({ max_users: 5 })).toEqual({ max_users: 5 })
  expect(tenantUpdateSchema.safeParse({ tenant_id: 't2' }).success).toBe(false)
})

test('an events page keeps what events hold and refuses one without its place', () => {
  const event = { event_type: 'from_tomorrow', timestamp: 2, session_id: 's1', seq: 3, x: [{}] }
  const page = { events: [event], head: 3, more: false }
  expect(rest.eventsPageSchema.parse(page)).toEqual(page)
  const { seq: _, ...unplaced } = event
  expect(rest.eventsPageSchema.safeParse({ ...page, events: [unplaced] }).success).toBe(false)
})

test('no answer shows a secret', () => {
  const view = { set: true, last4: 'abcd' }
  const provider = {
    ...{ provider_id: 'p1', scope: 'tenant', name: 'P', kind: 'openai', base_url: null },
    calls_tools: true,
    ...{ models: [], enabled: true, created_at: 1, updated_at: 1 },
  }
  const { api_key } = rest.providerInfoSchema.parse({ ...provider, api_key: view })
  expect(api_key).toEqual(view)
  for (const secret of ['sk-1', { ...view, value: 'sk-1' }])
    expect(rest.providerInfoSchema.safeParse({ ...provider, api_key: secret }).success).toBe(false)
})

test('a provider keeps its key where the view is sent back', () => {
  const { providerUpdateSchema } = rest
  expect(providerUpdateSchema.parse({ api_key: { set: true } })).toEqual({ api_key: { set: true } })
  expect(providerUpdateSchema.parse({ api_key: null })).toEqual({ api_key: null })
  expect(JSON.stringify(providerUpdateSchema.parse({ api_key: 'sk-canary' }))).not.toMatch('canary')
})
