import type { ToolAnnotations } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import type { CatalogueEntry } from '../catalogue/index.ts'
import type { JudgedContext, NewRule } from './contract.ts'
import {
  admin,
  agentA,
  ana,
  createTestWorld,
  everything,
  platformAdmin,
  type TestServer,
} from './test-world.ts'

const rule: NewRule = {
  tier: 'tenant',
  subject: { kind: 'user', id: '*' },
  server_id: '*',
  tool: '*',
  effect: 'ask',
}
const reading = (...untrusted: string[]): JudgedContext['run'] => ({
  run_id: 'r',
  untrusted: new Set(untrusted),
})

/** Everyone is bound to everything: what is left is rules, settings and defaults. */
function setUp(server: Partial<TestServer> = {}, annotations: ToolAnnotations = {}) {
  const world = createTestWorld({ defaultAllow: everything })
  const entry = world.catalogue.add(world.servers.add({ server_id: 's', ...server }), 'do', {
    annotations,
  })
  const decide = (context: Partial<JudgedContext> = {}) =>
    world.policy.decide({ principal: ana, ...context }, entry)
  return { ...world, entry, decide }
}

describe('bindings', () => {
  async function setUpMall() {
    const world = createTestWorld()
    const mall = world.servers.add({ server_id: 'mall4j' })
    const detail = world.catalogue.add(mall, 'mall4j.order.get_detail')
    const search = world.catalogue.add(mall, 'mall4j.product.search')
    const bind = (
      kind: 'agent' | 'api_key' | 'group' | 'user' | 'tenant',
      id: string,
      tool: string,
    ) => world.policy.setAllowList(admin, { kind, id }, [{ server_id: 'mall4j', tool }])
    return { ...world, detail, search, bind }
  }

  test('an agent has the tools it is bound to, and no other [A2.1]', async () => {
    const { policy, detail, search, bind } = await setUpMall()
    expect(policy.list({ principal: agentA })).toEqual([])
    await bind('agent', 'a', 'mall4j.order.get_detail')
    expect(policy.list({ principal: agentA })).toEqual([detail])
    expect(policy.decide({ principal: agentA }, detail).status).toBe('allow')
    expect(policy.decide({ principal: agentA }, search)).toMatchObject({
      status: 'deny',
      by: { kind: 'not_bound', subject: { kind: 'agent', id: 'a' } },
    })
  })

  test("agent A is refused mall4j.product.search, and other agents' bindings are untouched [A2.2]", async () => {
    const { policy, detail, search, bind } = await setUpMall()
    await bind('agent', 'a', 'mall4j.order.get_detail')
    await bind('agent', 'b', 'mall4j.product.*')
    const refused = policy.resolve({ principal: agentA }, 'mall4j.product.search')
    expect(refused).toMatchObject({ status: 'unknown', entry: search })
    const agentB = { ...ana, agent_id: 'b' }
    expect(policy.list({ principal: agentB })).toEqual([search])
    expect(policy.decide({ principal: agentB }, detail).status).toBe('deny')
  })

  test('every identity that is set must be bound; one without a list has what its user has', async () => {
    const { policy, detail, search, bind } = await setUpMall()
    const both = { ...ana, agent_id: 'a', api_key: 'k' }
    await bind('agent', 'a', '*')
    expect(policy.decide({ principal: both }, detail).by).toMatchObject({ kind: 'not_bound' })
    await bind('tenant', 't1', 'mall4j.order.*')
    expect(policy.list({ principal: both })).toEqual([detail])
    await bind('user', 'ana', 'mall4j.product.*')
    expect(policy.list({ principal: both })).toEqual([search])
    await bind('api_key', 'k', 'none')
    expect(policy.list({ principal: both })).toEqual([])
    await policy.clearAllowList(admin, { kind: 'api_key', id: 'k' })
    expect(policy.list({ principal: both })).toEqual([search])
  })

  test('a tool group without a list has nothing, and an empty list allows nothing', async () => {
    const { policy, bind } = await setUpMall()
    await bind('tenant', '*', '*')
    expect(policy.list({ principal: ana })).toHaveLength(2)
    expect(policy.list({ principal: { ...ana, group_id: 'g' } })).toEqual([])
    await bind('group', 'g', '*')
    expect(policy.list({ principal: { ...ana, group_id: 'g' } })).toHaveLength(2)
    await policy.setAllowList(admin, { kind: 'user', id: 'ana' }, [])
    expect(policy.list({ principal: ana })).toEqual([])
  })
})

describe('what is visible', () => {
  test.each([
    ["of the platform's tenant", { tenant_id: '*' }],
    ['of no tenant', { tenant_id: '' }],
    ['with an empty user', { user_id: '' }],
    ['who is every user', { user_id: '*' }],
    ['with an empty agent', { agent_id: '' }],
    ['with an empty API key', { api_key: '' }],
  ])('nothing to a caller %s, whatever their role', (_who, ids) => {
    const { policy, catalogue, servers } = createTestWorld({ defaultAllow: everything })
    const entry = catalogue.add(servers.add({ tenant_id: '*', server_id: 's' }), 'do')
    for (const role of ['user', 'admin', 'platform_admin'] as const) {
      const context = { principal: { ...ana, ...ids, role } }
      expect(policy.decide(context, entry)).toMatchObject({ status: 'deny' })
      expect(policy.resolve(context, 'do')).toMatchObject({ status: 'unknown' })
      expect(policy.list(context)).toEqual([])
      const { steps } = policy.explain(context, entry)
      expect(steps).toEqual([
        {
          what: { kind: 'refused_at_once', why: 'nobody' },
          text: expect.stringContaining("nobody's"),
          decided: true,
        },
      ])
    }
  })

  const servers: [string, TestServer, boolean][] = [
    ['own', { server_id: 's', user_id: 'ana' }, true],
    ['shared', { server_id: 's' }, true],
    ['of the platform', { server_id: 's', tenant_id: '*' }, true],
    ["another user's", { server_id: 's', user_id: 'bo' }, false],
    ["another tenant's", { server_id: 's', tenant_id: 't2' }, false],
    [
      "another tenant's user of the same id",
      { server_id: 's', tenant_id: 't2', user_id: 'ana' },
      false,
    ],
  ]
  test.each(servers)('a server that is %s', (_name, server, isVisible) => {
    const { decide, policy } = setUp(server)
    expect(decide().by.kind === 'not_visible').toBe(!isVisible)
    expect(policy.list({ principal: ana })).toHaveLength(isVisible ? 1 : 0)
  })

  test("a user's server cannot take the id of the platform's, nor the platform's that of a tenant's", () => {
    const { servers, catalogue, policy } = createTestWorld({ defaultAllow: everything })
    const ofPlatform = catalogue.add(
      servers.add({ tenant_id: '*', server_id: 's', name: 'p' }),
      'do',
    )
    const ofUser = catalogue.add(servers.add({ server_id: 's', user_id: 'ana' }), 'do')
    expect(policy.list({ principal: ana })).toEqual([ofPlatform])
    expect(policy.decide({ principal: ana }, ofUser).by.kind).toBe('not_visible')
    const ofTenant = catalogue.add(servers.add({ server_id: 's', name: 't' }), 'did')
    expect(policy.list({ principal: ana })).toContain(ofTenant)
    expect(policy.list({ principal: ana })).not.toContain(ofPlatform)
  })
})

test('a shared server that the user has one of the same name of is neither listed nor called', () => {
  const { servers, catalogue, policy } = createTestWorld({ defaultAllow: everything })
  const shared = catalogue.add(servers.add({ server_id: 's', name: 'mall' }), 'do')
  const own = catalogue.add(servers.add({ server_id: 'o', name: 'mall', user_id: 'ana' }), 'do')
  expect(policy.list({ principal: ana })).toEqual([own])
  expect(policy.decide({ principal: ana }, shared).status).toBe('deny')
  expect(policy.resolve({ principal: ana }, 'do')).toMatchObject({ entry: own })
  expect(policy.list({ principal: { ...ana, user_id: 'bo' } })).toEqual([shared])
})

describe('features of the tenant', () => {
  test.each([
    [['*'], 'allow', 'allow'],
    [[], 'deny', 'deny'],
    [['mcp'], 'allow', 'deny'],
    [['tools'], 'deny', 'allow'],
    [['mcp:files', 'tool:read'], 'allow', 'allow'],
    [['mcp:files/do', 'tool:write'], 'allow', 'deny'],
    [['mcp:other', 'mcp:files/did'], 'deny', 'deny'],
    [['*', '-mcp:files', '-tool:read'], 'deny', 'deny'],
    [['*', 'mcp:files/do', '-mcp', '-tools'], 'deny', 'deny'],
    [['*', '-mcp:files/do'], 'deny', 'allow'],
    [['*', 'mcp', 'tools', '-*'], 'deny', 'deny'],
  ])('%j: a tool of the server files %s, our own tool %s', (features, ofServer, ofOurs) => {
    const { tenants, catalogue, policy, decide } = setUp({ name: 'files' })
    const own = catalogue.addOwn('read')
    tenants.set('t1', features)
    expect(decide().status).toBe(ofServer)
    expect(policy.decide({ principal: ana }, own).status).toBe(ofOurs)
  })

  test('a feature that is switched off holds for the next call', () => {
    const { tenants, decide, policy } = setUp()
    expect(decide().status).toBe('allow')
    expect(policy.list({ principal: ana })).toHaveLength(1)
    tenants.set('t1', ['*', '-mcp'])
    expect(decide().by).toEqual({ kind: 'feature_off', feature: 'mcp' })
    expect(policy.list({ principal: ana })).toEqual([])
  })
})

describe('rules', () => {
  test('the highest tier decides, within it ask before allow, and a deny of any tier wins', async () => {
    const { policy, decide } = setUp()
    const ofUser = { ...rule, tier: 'user', subject: { kind: 'user', id: 'ana' } } as const
    await policy.addRule(ana, { ...ofUser, effect: 'ask' })
    expect(decide()).toMatchObject({ status: 'ask', by: { tier: 'user' } })
    await policy.addRule(admin, { ...rule, effect: 'allow' })
    expect(decide()).toMatchObject({ status: 'allow', by: { tier: 'tenant' } })
    const ask = await policy.addRule(admin, { ...rule, tool: 'd?' })
    expect(decide()).toMatchObject({ status: 'ask', by: { tier: 'tenant' } })
    await policy.addRule(platformAdmin, { ...rule, tier: 'platform', effect: 'allow' })
    expect(decide()).toMatchObject({ status: 'allow', by: { tier: 'platform' } })
    const deny = await policy.addRule(ana, { ...ofUser, effect: 'deny' })
    expect(decide()).toMatchObject({ status: 'deny', by: { rule_id: deny.rule_id } })
    await policy.removeRule(ana, deny.rule_id)
    expect(decide()).toMatchObject({ status: 'allow', revision: policy.revision })
    await expect(policy.removeRule(ana, ask.rule_id)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a rule ends at its time and holds in its session alone [T43]', async () => {
    const { policy, decide, clock } = setUp()
    await policy.addRule(admin, { ...rule, effect: 'deny', expires_at: clock.now() + 1_000 })
    expect([decide().status, policy.list({ principal: ana }).length]).toEqual(['deny', 0])
    clock.advance(1_000)
    expect([decide().status, policy.list({ principal: ana }).length]).toEqual(['allow', 1])
    await policy.addRule(admin, { ...rule, effect: 'deny', session_id: 's1' })
    const inSession = (session_id: string) => [
      decide({ session_id }).status,
      policy.list({ principal: ana, session_id }).length,
    ]
    expect([inSession('s1'), inSession('s2'), inSession('s1')]).toEqual([
      ['deny', 0],
      ['allow', 1],
      ['deny', 0],
    ])
  })

  test('a deny of every tool is not got round by a slash in a name', async () => {
    const { servers, catalogue, policy } = setUp()
    const odd = catalogue.add(servers.get('t1', 's')!, 'a/b')
    await policy.addRule(admin, { ...rule, effect: 'deny' })
    expect(policy.decide({ principal: ana }, odd).status).toBe('deny')
  })

  test('rules of one subject, tenant or server leave others alone', async () => {
    const { policy, decide, servers, catalogue } = setUp()
    const deny = { ...rule, effect: 'deny' } as const
    await policy.addRule(admin, { ...deny, subject: { kind: 'user', id: 'bo' } })
    await policy.addRule(admin, { ...deny, subject: { kind: 'agent', id: '*' } })
    await policy.addRule(admin, { ...deny, server_id: 'other' })
    await policy.addRule({ ...admin, tenant_id: 't2' }, deny)
    const ofT2 = { ...deny, tier: 'platform', subject: { kind: 'tenant', id: 't2' } } as const
    await policy.addRule(platformAdmin, ofT2)
    expect(decide().status).toBe('allow')
    expect(decide({ principal: agentA }).status).toBe('deny')
    const shared = catalogue.add(servers.add({ tenant_id: '*', server_id: 'x' }), 'do')
    const inT2 = { principal: { ...ana, tenant_id: 't2' } }
    expect(policy.decide(inT2, shared).status).toBe('deny')
  })

  test("a user's allow does not loosen what an administrator set for a shared server", async () => {
    const allow = { ...rule, tier: 'user', subject: { kind: 'user', id: 'ana' } } as const
    for (const [user_id, status] of [
      [null, 'ask'],
      ['ana', 'allow'],
    ] as const) {
      const { policy, decide } = setUp({ user_id, settings: { approval: 'ask' } })
      await policy.addRule(ana, { ...allow, effect: 'allow' })
      expect(decide().status).toBe(status)
    }
  })
})

describe('where no rule speaks', () => {
  test.each([
    [{}, {}, 'allow', 'administrators_server'],
    [{}, { destructiveHint: true }, 'ask', 'destructive_annotation'],
    [{}, { destructiveHint: true, readOnlyHint: true }, 'ask', 'destructive_annotation'],
    [{ user_id: 'ana' }, { readOnlyHint: true }, 'ask', 'users_server'],
    [{ user_id: 'ana' }, { destructiveHint: true }, 'ask', 'destructive_annotation'],
  ])('a server %j, annotations %j: %s by %s', (server, annotations, status, why) => {
    expect(setUp(server, annotations).decide()).toMatchObject({ status, by: { why } })
  })

  test("a tool of a user's own server asks once per session", () => {
    expect(setUp({ user_id: 'ana' }).decide()).toMatchObject({ once_per_session: true })
    expect(setUp({}, { destructiveHint: true }).decide()).toMatchObject({ once_per_session: false })
  })

  test.each([
    [{ approval: 'ask' }, 'ask'],
    [{ approval: 'deny' }, 'deny'],
    [{ approval: 'deny', toolApproval: { do: 'allow' } }, 'allow'],
    [{ toolApproval: { do: 'allow', 'd*': 'deny', '*': 'ask' } }, 'deny'],
    [{ toolApproval: { other: 'deny' } }, 'allow'],
  ] as const)("the server's settings %j say %s", (settings, status) => {
    expect(setUp({ settings }).decide().status).toBe(status)
  })

  test('our own tools are allowed, or ask where they say so', () => {
    const { catalogue, policy } = setUp()
    const read = policy.decide({ principal: ana }, catalogue.addOwn('read'))
    const shell = policy.decide({ principal: ana }, catalogue.addOwn('shell', { approval: 'ask' }))
    expect([read.by, shell.by]).toEqual([
      { kind: 'default', why: 'own_tool' },
      { kind: 'default', why: 'own_tool_asks' },
    ])
  })
})

describe('a pattern in a rule', () => {
  test.each(['deny', 'ask'] as const)('that says %s is not evaded by a slash', async (effect) => {
    const { policy, catalogue, servers } = createTestWorld({ defaultAllow: everything })
    const server = servers.add({ server_id: 's' })
    const entry = catalogue.add(server, 'repos/delete_all')
    await policy.addRule(admin, { ...rule, server_id: 's', tool: '*delete*', effect })
    expect(policy.decide({ principal: ana }, entry)).toMatchObject({ status: effect })
  })
})

test('a yes in a session is to the tools that the server had then', async () => {
  const { policy, catalogue, servers, clock } = createTestWorld({ defaultAllow: everything })
  const server = servers.add({ server_id: 'own', user_id: 'ana' })
  const [known, later] = ['known', 'later'].map((name) => catalogue.add(server, name))
  const subject = { kind: 'user', id: 'ana' } as const
  const yes = { tier: 'user', subject, effect: 'allow', server_id: 'own', tool: '*' } as const
  const context = { principal: ana, session_id: 's1' }
  const statusOf = (entry: CatalogueEntry) => policy.decide(context, entry).status
  await policy.addRule(ana, { ...yes, session_id: 's1' })
  later!.tool.created_at = clock.now() + 1
  expect([statusOf(known!), statusOf(later!)]).toEqual(['allow', 'ask'])
  await policy.addRule(ana, yes)
  expect(statusOf(later!)).toBe('allow')
})

describe('after untrusted output', () => {
  const run = reading('web')
  const closed = { readOnlyHint: true, openWorldHint: false }

  test.each([
    ['without annotations', {}, {}, 'ask'],
    ['that only reads', {}, { readOnlyHint: true }, 'ask'],
    ['that only reads, and nothing outside', {}, closed, 'allow'],
    ["of a user's server, whatever it says", { user_id: 'ana' }, closed, 'ask'],
    ['that its settings allow', { settings: { approval: 'allow' as const } }, {}, 'ask'],
  ])('a tool %s', (_name, server, annotations, status) => {
    const { decide } = setUp(server, annotations)
    expect(decide({ run }).status).toBe(status)
    const isAsked = { by: { why: 'after_untrusted_output' }, once_per_session: false }
    if (status === 'ask') expect(decide({ run })).toMatchObject(isAsked)
  })

  test('an allow holds where it trusts all that was read, and a deny stays a deny', async () => {
    const { policy, decide } = setUp()
    await policy.addRule(admin, { ...rule, effect: 'allow' })
    expect(decide({ run }).status).toBe('ask')
    await policy.addRule(admin, { ...rule, effect: 'allow', trusts: ['web'] })
    expect(decide({ run }).status).toBe('allow')
    expect(decide({ run: reading('web', 'mail') }).status).toBe('ask')
    await policy.addRule(admin, { ...rule, effect: 'allow', trusts: ['*'] })
    expect(decide({ run: reading('web', 'mail') }).status).toBe('allow')
    await policy.addRule(admin, { ...rule, effect: 'deny' })
    expect(decide({ run }).status).toBe('deny')
  })

  test("a user's server is asked for once per session after its own output too", () => {
    const { decide, entry } = setUp({ user_id: 'ana' })
    const own = entry.tool.server_id
    expect(decide({ run: reading(own) })).toMatchObject({ status: 'ask', once_per_session: true })
    expect(decide({ run: reading(own, 'web') })).toMatchObject({ once_per_session: false })
  })

  test('our own tools ask where they reach outside', () => {
    const { catalogue, policy } = setUp()
    const write = catalogue.addOwn('write', { annotations: { openWorldHint: false } })
    const get = catalogue.addOwn('http_get', { annotations: { readOnlyHint: true } })
    expect(policy.decide({ principal: ana, run }, write).status).toBe('allow')
    expect(policy.decide({ principal: ana, run }, get).status).toBe('ask')
  })
})

test('memory that was not confirmed for 5 s denies everything, and explains it', () => {
  const { told, policy, decide, entry } = setUp()
  told.unconfirmedMs = 5_000
  expect(decide().status).toBe('allow')
  told.unconfirmedMs = 5_001
  const by = { kind: 'unconfirmed', since_ms: 5_001 }
  expect(decide()).toMatchObject({ status: 'deny', by })
  expect(policy.list({ principal: ana })).toEqual([])
  expect(policy.resolve({ principal: ana }, 'do')).toMatchObject({
    status: 'unknown',
    verdict: { by },
  })
  expect(policy.resolve({ principal: ana }, 'nothing')).toMatchObject({ verdict: { by } })
  expect(policy.explain({ principal: ana }, entry).verdict).toEqual(decide())
})
