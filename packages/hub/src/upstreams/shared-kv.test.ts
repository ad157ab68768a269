import { createMemoryKv, createRedisKv, type Kv } from '@dataagent/store/kv'
import {
  createFakeClock,
  createRedisScope,
  findService,
  startFaultProxy,
  waitFor,
} from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createLocalServers, type LocalServers } from './test-local.ts'
import { createRig, echo, keyOf, type Rig, type RigOptions } from './test-rig.ts'

const minute = 60_000
const hasRedis = (await findService('redis')) !== undefined

/** As many as there are names: each would be a process of its own, with connections of its own. */
interface Party {
  rig: Rig
  local: LocalServers
}

function join(owner: string, kv: Kv, options: RigOptions = {}): Party {
  const local = createLocalServers()
  const { createTransport } = local
  return { local, rig: createRig({ kv, owner, createTransport, ...options }) }
}

function setOwn({ rig }: Party, ...names: string[]): void {
  for (const name of names) {
    rig.servers.set(name, { name, command: 'in-process' }, { user_id: 'ann' })
  }
}

function callAs({ rig }: Party, server_id: string, call = echo('x')) {
  return rig.upstreams.call(keyOf(server_id, 'ann'), call)
}

function openIn(name: string, ...parties: Party[]): number[] {
  return parties.map(({ local }) => local.open(name))
}

test('a user has so many servers over all processes together [D31] [F26]', async () => {
  await using kv = createMemoryKv()
  const limits = { perUser: 2 }
  const [one, two] = [join('one', kv, { limits }), join('two', kv, { limits })]
  await using _one = one.rig
  await using _two = two.rig
  for (const party of [one, two]) setOwn(party, 'a', 'b', 'c')
  await callAs(one, 'a')
  await callAs(two, 'b')
  await callAs(two, 'a')
  await expect(callAs(one, 'c')).rejects.toMatchObject({
    code: 'quota_exceeded',
    message: expect.stringContaining('2 servers connected, which is the limit (perUser)'),
  })
  expect([openIn('a', one, two), openIn('b', one, two)]).toEqual([
    [1, 0],
    [0, 1],
  ])
})

test('a session in another process keeps a connection from being idle', async () => {
  const clock = createFakeClock()
  await using kv = createMemoryKv({ clock })
  const [one, two] = [join('one', kv, { clock }), join('two', kv, { clock })]
  await using _one = one.rig
  await using _two = two.rig
  for (const party of [one, two]) setOwn(party, 'a')
  await callAs(one, 'a')
  const release = two.rig.upstreams.hold({ tenant_id: 'acme', user_id: 'ann' })
  await clock.advanceAsync(20 * minute)
  expect(openIn('a', one, two)).toEqual([1, 0])
  release()
  await clock.advanceAsync(20 * minute)
  expect(openIn('a', one, two)).toEqual([0, 0])
})

test('a call of another process ends over the configuration that it began with', async () => {
  await using kv = createMemoryKv()
  const [one, two] = [join('one', kv), join('two', kv)]
  await using _one = one.rig
  await using _two = two.rig
  for (const party of [one, two]) setOwn(party, 'a')
  await callAs(one, 'a')
  const begun = callAs(two, 'a', echo('begun', { tool: 'hang' }))
  await waitFor(() => one.local.hanging.length === 1)
  one.rig.servers.set('a', { name: 'a', command: 'other' }, { user_id: 'ann' })
  await callAs(one, 'a')
  one.local.hanging[0]?.()
  expect(await begun).toMatchObject({ result: { content: [{ text: 'begun' }] } })
})

test('who hands over answers what others have asked, and they wait for who connects next [F28]', async () => {
  await using kv = createMemoryKv()
  const [one, two] = [join('one', kv), join('two', kv)]
  await using _one = one.rig
  await using _two = two.rig
  for (const party of [one, two]) setOwn(party, 'a')
  await callAs(one, 'a')
  const begun = callAs(two, 'a', echo('begun', { tool: 'hang' }))
  await waitFor(() => one.local.hanging.length === 1)

  const handedOver = one.rig.upstreams.handOver(5_000).then(() => 'handed over')
  await waitFor(() => two.rig.healths.at(-1)?.status === 'stopped')
  const next = callAs(two, 'a', echo('next', { maxRetries: 0 }))
  const own = await callAs(one, 'a', echo('own'))
  expect(own).toMatchObject({ result: { content: [{ text: 'own' }] } })
  expect(await Promise.race([next, handedOver, settled()])).toBe('not yet')

  one.local.hanging[0]?.()
  expect(await begun).toMatchObject({ result: { content: [{ text: 'begun' }] }, attempts: 1 })
  expect(await handedOver).toBe('handed over')
  await one.rig.upstreams.close()
  expect(await next).toMatchObject({ result: { content: [{ text: 'next' }] }, attempts: 1 })
  expect(openIn('a', one, two)).toEqual([0, 1])
})

test('what another process has asked is waited for no longer than it may be', async () => {
  await using kv = createMemoryKv()
  const [one, two] = [join('one', kv), join('two', kv)]
  await using _one = one.rig
  await using _two = two.rig
  for (const party of [one, two]) setOwn(party, 'a')
  await callAs(one, 'a')
  const begun = callAs(two, 'a', echo('begun', { tool: 'hang', maxRetries: 0 }))
  const refused = expect(begun).rejects.toMatchObject({ kind: 'closed', mayHaveRun: true })
  await waitFor(() => one.local.hanging.length === 1)
  await one.rig.upstreams.handOver(50)
  await one.rig.upstreams.close()
  await refused
})

test('to refresh or reconnect through another process is done when the own catalogue has the tools', async () => {
  await using kv = createMemoryKv()
  let known = 0
  const observe: RigOptions['observe'] = async (_place, { status }) => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    if (status === 'offers') known += 1
  }
  const [one, two] = [join('one', kv), join('two', kv, { observe })]
  await using _one = one.rig
  await using _two = two.rig
  for (const party of [one, two]) setOwn(party, 'a')
  await callAs(one, 'a')
  await two.rig.upstreams.refresh(keyOf('a', 'ann'))
  expect(known).toBe(1)
  for (const how of ['reconnect', 'refresh'] as const) {
    const before = known
    await two.rig.upstreams[how](keyOf('a', 'ann'))
    expect(known).toBeGreaterThan(before)
  }
  expect(openIn('a', one, two)).toEqual([1, 0])
})

test('equal names of users in two tenants never share', async () => {
  await using kv = createMemoryKv()
  const one = join('one', kv)
  await using _one = one.rig
  for (const tenant_id of ['acme', 'evil']) {
    const owner = { tenant_id, user_id: 'ann' }
    one.rig.servers.set('a', { name: tenant_id, command: 'in-process' }, owner)
  }
  const texts = await Promise.all(
    ['acme', 'evil'].map(async (tenant_id) => {
      const key = { tenant_id, server_id: 'a', user_id: 'ann' }
      const { result } = await one.rig.upstreams.call(key, echo('', { args: {} }))
      return (result.content as { text: string }[])[0]?.text
    }),
  )
  expect(texts).toEqual(['acme', 'evil'])
  expect(openIn('a', one)).toEqual([2])
})

describe.skipIf(!hasRedis)('with a Redis that goes away', () => {
  test.concurrent('a holder goes on serving its own calls, and holds again when it is back', async () => {
    await using scope = await createRedisScope()
    await using proxy = await startFaultProxy({ target: scope.url })
    await using kv = createRedisKv({ ...scope, url: proxy.url })
    const one = join('one', kv, { limits: { leaseMs: 1_000 } })
    await using _one = one.rig
    one.rig.servers.set('a', { name: 'a', command: 'in-process' })
    one.rig.upstreams.start()
    await one.rig.untilOffered('a')
    await proxy.set({ kind: 'refuse' })
    await waitFor(async () => (await kv.get('x').catch(() => 'away')) === 'away')
    const until = performance.now() + 2_000
    await waitFor(() => performance.now() > until)
    expect(await one.rig.say('a', 'still here')).toBe('still here')
    await proxy.set({ kind: 'pass' })
    await using direct = createRedisKv(scope)
    const two = join('two', direct, { limits: { leaseMs: 1_000 } })
    await using _two = two.rig
    two.rig.servers.set('a', { name: 'a', command: 'in-process' })
    await waitFor(async () => (await two.rig.say('a', 'x')) === 'x', { timeoutMs: 10_000 })
    await waitFor(() => one.local.open('a') + two.local.open('a') === 1, { timeoutMs: 10_000 })
    expect(await one.rig.say('a', 'y', { maxRetries: 3 })).toBe('y')
  })

  test.concurrent('a call whose answer may have been missed ends, as one that may have run', async () => {
    await using scope = await createRedisScope()
    await using proxy = await startFaultProxy({ target: scope.url })
    await using direct = createRedisKv(scope)
    await using kv = createRedisKv({ ...scope, url: proxy.url })
    const [one, two] = [join('one', direct), join('two', kv)]
    await using _one = one.rig
    await using _two = two.rig
    for (const { rig } of [one, two]) {
      rig.servers.set('a', { name: 'a', command: 'in-process' })
      rig.upstreams.start()
      await rig.untilOffered('a')
    }
    const call = two.rig.say('a', 'x', { tool: 'hang', deadlineMs: 60_000 })
    await waitFor(() => one.local.hanging.length === 1)
    await proxy.set({ kind: 'reset' }, 'open')
    await expect(call).rejects.toMatchObject({ kind: 'closed', mayHaveRun: true })
    await waitFor(async () => (await two.rig.say('a', 'back')) === 'back', { timeoutMs: 10_000 })
  })

  test.concurrent('who took over meanwhile keeps it: the one before calls through it', async () => {
    await using scope = await createRedisScope()
    await using proxy = await startFaultProxy({ target: scope.url })
    await using kv = createRedisKv({ ...scope, url: proxy.url })
    await using direct = createRedisKv(scope)
    const limits = { leaseMs: 1_000 }
    const [one, two] = [join('one', kv, { limits }), join('two', direct, { limits })]
    await using _one = one.rig
    await using _two = two.rig
    for (const { rig } of [one, two]) rig.servers.set('a', { name: 'a', command: 'in-process' })
    one.rig.upstreams.start()
    await one.rig.untilOffered('a')
    await proxy.set({ kind: 'refuse' })
    two.rig.upstreams.start()
    await two.rig.untilOffered('a')
    expect(openIn('a', one, two)).toEqual([1, 1])
    await proxy.set({ kind: 'pass' })
    await waitFor(() => one.local.open('a') === 0, { timeoutMs: 10_000 })
    await waitFor(async () => (await one.rig.say('a', 'x')) === 'x', { timeoutMs: 10_000 })
    expect(openIn('a', one, two)).toEqual([0, 1])
    expect(one.rig.upstreams.health('acme', 'a')[0]?.holder?.owner).toBe('two')
  })
})

function settled(): Promise<string> {
  return new Promise((resolve) => setTimeout(() => resolve('not yet'), 100))
}
