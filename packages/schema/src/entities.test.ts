import { describe, expect, test } from 'vitest'
import {
  actionRequestSchema,
  apiKeyInfoSchema,
  approvalSchema,
  decisionSchema,
  messageSchema,
  sessionSchema,
  tenantSchema,
  toolDefinitionSchema,
  toolInfoSchema,
  userSchema,
} from './index.ts'

test('a session has the fields that stores keep [D13.1]', () => {
  const session = {
    session_id: 's1',
    tenant_id: 't1',
    user_id: 'ana',
    assistant_id: 'data',
    created_at: 1,
    last_active: 2,
    state: { thread_id: 'th1', auto_approve: false, status: 'idle' },
    metadata: { title: 'Sales' },
  }
  expect(sessionSchema.parse(session)).toEqual(session)
  const named = ['session_id', 'user_id', 'assistant_id', 'created_at', 'last_active', 'state']
  for (const field of [...named, 'metadata'])
    expect(sessionSchema.safeParse({ ...session, [field]: undefined }).success).toBe(false)
})

test('an action request is name, args, description [D3.2]', () => {
  expect(Object.keys(actionRequestSchema.shape)).toEqual(['name', 'args', 'description'])
})

test('a decision is approve or reject, with a message [D3.3]', () => {
  expect(decisionSchema.shape.type.options).toEqual(['approve', 'reject'])
  expect(decisionSchema.parse({ type: 'approve', message: '' })).toMatchObject({ type: 'approve' })
  expect(decisionSchema.safeParse({ type: 'edit', message: '' }).success).toBe(false)
})

describe('an approval', () => {
  const pending = {
    ...{ approval_id: 'a1', tenant_id: 't1', session_id: 's1', user_id: 'ana', agent_id: null },
    ...{ assignee: null, tool_call_id: 'c1', server_id: 'mall', tool_name: 'delete_order' },
    action_request: { name: 'delete_order', args: { id: 7 }, description: 'Delete order 7' },
    ...{ reason: 'it is destructive', asked: 1, created_at: 1, expires_at: 300_001 },
    status: 'pending',
  }
  const decision = { type: 'reject', message: 'no' }
  const decided = { ...pending, status: 'decided', decision, via: 'person', used_at: null }

  test('is pending, or decided with how and by whom', () => {
    expect(approvalSchema.parse(pending)).toEqual(pending)
    expect(approvalSchema.safeParse(decided).success).toBe(false)
    const whole = { ...decided, decided_by: 'bo', decided_at: 9 }
    expect(approvalSchema.parse(whole)).toEqual(whole)
  })

  test('may belong to no session and to no person', () => {
    const machines = { ...pending, session_id: null, user_id: null }
    expect(approvalSchema.parse(machines)).toEqual(machines)
  })

  test('never shows what it is bound by', () => {
    const shown = approvalSchema.parse({ ...pending, caller: 'c', digest: 'd' })
    expect(shown).toEqual(pending)
  })
})

test('a message is of the user or the assistant', () => {
  const message = { message_id: 'm1', session_id: 's1', role: 'user', content: 'hi', created_at: 1 }
  expect(messageSchema.parse(message)).toEqual(message)
  expect(messageSchema.safeParse({ ...message, role: 'tool' }).success).toBe(false)
})

test('a tenant has its limits and features', () => {
  expect(Object.keys(tenantSchema.shape)).toEqual([
    'tenant_id',
    'name',
    'max_users',
    'max_sessions_per_user',
    'max_mcp_servers',
    'workspace_quota',
    'features_enabled',
    'created_at',
  ])
})

test('a user or a key belongs to one tenant, and a listed key has no secret', () => {
  expect(userSchema.shape).toHaveProperty('tenant_id')
  const key = {
    ...{ key_id: 'k1', tenant_id: 't1', user_id: 'ana', name: 'ci', role: 'user', created_at: 1 },
    ...{ act_as: false, last_used_at: null, expires_at: null, revoked_at: null },
  }
  expect(apiKeyInfoSchema.parse({ ...key, hashed_api_key: 'ab12' })).toEqual(key)
})

test.each(['../x', '.hidden', 'a/b', 'a b', '', 'a\0', 'x'.repeat(129), '__proto__'])(
  'the id %j is refused',
  (user_id) => {
    const user = { tenant_id: 't1', name: 'A', role: 'user', created_at: 1, disabled_at: null }
    expect(userSchema.safeParse({ ...user, user_id: 'ana' }).success).toBe(true)
    expect(userSchema.safeParse({ ...user, user_id }).success).toBe(false)
  },
)

describe('a name of a tenant, a user or an API key', () => {
  const names = [tenantSchema, userSchema, apiKeyInfoSchema].map(({ shape }) => shape.name)

  test.each(['A', 'Ana 订单 😀', '😀'.repeat(191), 'x'.repeat(191)])('can be %j', (given) => {
    for (const name of names) expect(name.parse(given)).toBe(given)
  })

  test('loses the space around it', () => {
    for (const name of names) expect(name.parse(' Ana\n')).toBe('Ana')
  })

  test.each(['', '  ', 'a\0b', 'a\nb', 'a\u007f', 'a\u0085b', 'a\ud800', 'x'.repeat(192)])(
    'cannot be %j',
    (given) => {
      for (const name of names) expect(name.safeParse(given).success).toBe(false)
    },
  )
})

test('a tool keeps its schemas as they are, and hints that are not known yet', () => {
  const definition = {
    name: 'get_detail',
    description: 'One order',
    inputSchema: { type: 'object', required: ['orderId'], 'x-odd': [null] },
    annotations: { readOnlyHint: true, costHint: 'low' },
  }
  expect(toolDefinitionSchema.parse(definition)).toEqual(definition)
  const info = { ...definition, server_id: 'mall4j', version: 2, hash: 'a'.repeat(64), seen_at: 1 }
  expect(toolInfoSchema.parse(info)).toEqual(info)
  expect(toolInfoSchema.safeParse({ ...info, hash: 'short' }).success).toBe(false)
})
