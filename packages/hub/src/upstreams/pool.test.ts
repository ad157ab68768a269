import { createMemoryKv } from '@dataagent/store/kv'
import { createFakeClock, longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { platformTenant } from '../servers/index.ts'
import type { UpstreamLimits } from './contract.ts'
import { startTestHttp } from './test-http.ts'
import { createLocalServers } from './test-local.ts'
import { processesOf } from './test-processes.ts'
import { createRig, echo, keyOf, type Rig, type RigOptions } from './test-rig.ts'
import { shell } from './test-shell-server.ts'

const minute = 60_000

describe('whose connection it is', () => {
  test('users of shared credentials share one, whoever they are', async () => {
    await using http = await startTestHttp()
    await using rig = createRig()
    rig.servers.set('a', { name: 'a', url: http.url('a') })
    await Promise.all(['ann', 'bob', null].map((user) => callAs(rig, user)))
    expect(http.sessions()).toBe(1)
  })

  test('users with their own credentials never do, and each goes out with their own', async () => {
    await using http = await startTestHttp()
    await using rig = createRig()
    rig.servers.set('a', { name: 'a', url: http.url('a'), credentials: 'user' })
    rig.upstreams.start()
    await expect(callAs(rig, 'ann')).rejects.toMatchObject({ kind: 'sign_in' })
    rig.servers.setCredential('a', 'ann', 'secret of ann')
    rig.servers.setCredential('a', 'bob', 'secret of bob')
    for (const user of ['ann', 'bob', 'ann']) await waitFor(() => callAs(rig, user))
    const sent = http.calls('a').map(({ headers }) => headers['x-own'])
    expect(sent).toEqual(['secret of ann', 'secret of bob', 'secret of ann'])
    expect(http.sessions()).toBe(2)
  })

  test('a server of the platform goes out with no user’s: those of two tenants may have one name', async () => {
    const { rig, local } = createLocalRig()
    await using _ = rig
    const all = { tenant_id: platformTenant }
    rig.servers.set('a', { name: 'a', url: 'http://a', credentials: 'user' }, all)
    rig.upstreams.start()
    rig.servers.setCredential('a', 'ann', 'secret of ann')
    rig.upstreams.hold({ tenant_id: 'acme', user_id: 'ann' })
    const called = rig.upstreams.call({ ...all, server_id: 'a', user_id: 'ann' }, echo('x'))
    await expect(called).rejects.toMatchObject({ kind: 'sign_in' })
    expect(local.made('a')).toBe(0)
  })

  test('the loss of one user’s connection withdraws nothing from the others', async () => {
    await using http = await startTestHttp()
    await using rig = createRig()
    rig.servers.set('a', { name: 'a', url: http.url('a'), credentials: 'user' })
    rig.upstreams.start()
    rig.servers.setCredential('a', 'bob', 'b')
    await callAs(rig, 'bob')
    await expect(callAs(rig, 'ann')).rejects.toMatchObject({ kind: 'sign_in' })
    expect(rig.offered('a')).toBeDefined()
  })
})

describe('a change of configuration', () => {
  test('takes calls to the new one; those under way end over the old one', async () => {
    const { rig, local } = createLocalRig()
    await using _ = rig
    rig.servers.set('a', { name: 'old', url: 'http://old' })
    rig.upstreams.start()
    await rig.untilOffered('a')
    const underWay = rig.say('a', 'begun', { tool: 'hang' })
    await waitFor(() => local.hanging.length === 1)
    rig.servers.set('a', { name: 'new', url: 'http://new' })
    await waitFor(() => local.made('a') === 2)
    expect(await rig.say('a', 'x')).toBe('x')
    expect(local.open('a')).toBe(2)
    local.hanging[0]?.()
    expect(await underWay).toBe('begun')
    await waitFor(() => local.open('a') === 1)
  })

  test('waits for calls under way only so long', async () => {
    const { rig, local } = createLocalRig({ drainMs: 50 })
    await using _ = rig
    rig.servers.set('a', { name: 'old', url: 'http://old' })
    rig.upstreams.start()
    await rig.untilOffered('a')
    const underWay = rig.say('a', 'x', { tool: 'hang' })
    await waitFor(() => local.hanging.length === 1)
    rig.servers.set('a', { name: 'new', url: 'http://new' })
    await expect(underWay).rejects.toMatchObject({ kind: 'closed', mayHaveRun: true })
  })

  test('that does not concern the connection leaves it alone', async () => {
    const { rig, local } = createLocalRig()
    await using _ = rig
    rig.servers.set('a', { name: 'a', url: 'http://a' })
    rig.upstreams.start()
    await rig.untilOffered('a')
    rig.servers.set('a', { name: 'a', url: 'http://a', description: 'new words' })
    expect(await rig.say('a', 'x')).toBe('x')
    expect(local.made('a')).toBe(1)
  })

  test('of its timeouts alone leaves calls nowhere without a way', async () => {
    const { rig, local } = createLocalRig()
    await using _ = rig
    rig.servers.set('a', { name: 'a', url: 'http://a' })
    rig.upstreams.start()
    await rig.untilOffered('a')
    rig.servers.set('a', { name: 'a', url: 'http://a', timeout: 1, healthEvery: 5 })
    const isChanged = () => local.made('a') === 2 && local.open('a') === 1
    await waitFor(async () => (await rig.say('a', 'x')) === 'x' && isChanged())
    expect(rig.observed.every(({ seen }) => seen.status === 'offers')).toBe(true)
    expect(rig.healths.every(({ status }) => status !== 'error')).toBe(true)
  })

  test('to disabled acts at once, and back again', async () => {
    const { rig, local } = createLocalRig()
    await using _ = rig
    rig.servers.set('a', { name: 'a', url: 'http://a' })
    rig.upstreams.start()
    await rig.untilOffered('a')
    const underWay = rig.say('a', 'x', { tool: 'hang' })
    await waitFor(() => local.hanging.length === 1)
    rig.servers.set('a', { name: 'a', url: 'http://a', disabled: true })
    expect(rig.observed.at(-1)?.seen).toEqual({ status: 'disabled' })
    await expect(underWay).rejects.toMatchObject({ kind: 'closed' })
    await expect(rig.say('a', 'x')).rejects.toThrow('is disabled')
    expect(local.open('a')).toBe(0)
    rig.servers.set('a', { name: 'a', url: 'http://a' })
    await rig.untilOffered('a')
  })

  test('to nothing withdraws and closes at once', async () => {
    const { rig, local } = createLocalRig()
    await using _ = rig
    rig.servers.set('a', { name: 'a', url: 'http://a' })
    rig.upstreams.start()
    await rig.untilOffered('a')
    rig.servers.remove('a')
    expect(rig.offered('a')).toBeUndefined()
    await expect(rig.say('a', 'x')).rejects.toMatchObject({ kind: 'not_found' })
    await waitFor(() => local.open('a') === 0)
    expect(rig.healths.at(-1)).toMatchObject({ server_id: 'a', status: 'stopped' })
  })
})

describe('limits', () => {
  test('one server more than a user may have is refused, naming the limit [D31]', async () => {
    const { rig } = createLocalRig({ perUser: 2 })
    await using _ = rig
    setOwn(rig, 'ann', 3)
    await callAs(rig, 'ann', 'ann0')
    await callAs(rig, 'ann', 'ann1')
    await expect(callAs(rig, 'ann', 'ann2')).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringContaining('2 servers connected, which is the limit (perUser)'),
    })
    setOwn(rig, 'bob', 1)
    await callAs(rig, 'bob', 'bob0')
  })

  test('at that of the process the longest idle gives way; shared ones never do [F26]', async () => {
    const { rig, local } = createLocalRig({ perProcess: 2 })
    await using _ = rig
    rig.servers.set('shared', { name: 'shared', url: 'http://shared' })
    setOwn(rig, 'ann', 1)
    setOwn(rig, 'bob', 1)
    await rig.say('shared', 'x')
    await callAs(rig, 'ann', 'ann0')
    await callAs(rig, 'bob', 'bob0')
    expect(local.open('ann0') + local.open('bob0') + local.open('shared')).toBe(2)
    rig.servers.set('more', { name: 'more', url: 'http://more' })
    await rig.say('more', 'x')
    rig.servers.set('most', { name: 'most', url: 'http://most' })
    await expect(rig.say('most', 'x')).rejects.toMatchObject({ code: 'quota_exceeded' })
  })

  test('a tenant over its share gives way to others, dead servers first, and comes back', async () => {
    const { rig, local, clock } = createFakeRig({ perProcess: 4, perTenant: 2 })
    await using _ = rig
    const dead = { name: 'dead', url: 'http://dead' }
    for (const id of ['d1', 'd2', 'd3']) rig.servers.set(id, dead, { tenant_id: 'greedy' })
    rig.servers.set('g', { name: 'g', url: 'http://g' }, { tenant_id: 'greedy' })
    local.dead.add('dead')
    rig.upstreams.start()
    await rig.untilOffered('g')
    const statusesOf = () =>
      ['d1', 'd2', 'd3'].filter((id) => rig.upstreams.health('greedy', id).length > 0)
    expect(statusesOf()).toHaveLength(3)
    for (const id of ['a', 'b']) rig.servers.set(id, { name: id, url: `http://${id}` })
    await Promise.all([rig.untilOffered('a'), rig.untilOffered('b')])
    expect([statusesOf().length, local.open('g')]).toEqual([1, 1])
    expect(rig.observed.at(-1)?.seen).toMatchObject({ status: 'offers' })
    const told = rig.observed.filter(({ seen }) => seen.status === 'unreachable')
    expect(JSON.stringify(told)).toContain('share')
    rig.servers.remove('a')
    await clock.advanceAsync(minute)
    expect(statusesOf()).toHaveLength(2)
  })

  test('a tenant at its share takes from itself alone; the platform from whoever has too much', async () => {
    const { rig, local } = createLocalRig({ perProcess: 3, perTenant: 1 })
    await using _ = rig
    rig.servers.set('a', { name: 'a', url: 'http://a' })
    for (const id of ['g1', 'g2']) {
      rig.servers.set(id, { name: id, url: `http://${id}` }, { tenant_id: 'greedy' })
    }
    rig.upstreams.start()
    await waitFor(() => ['a', 'g1', 'g2'].every((id) => local.open(id) === 1))
    rig.servers.set('g3', { name: 'g3', url: 'http://g3' }, { tenant_id: 'greedy' })
    const g3 = { tenant_id: 'greedy', server_id: 'g3', user_id: null }
    await expect(rig.upstreams.call(g3, echo('x'))).rejects.toMatchObject({
      code: 'quota_exceeded',
    })
    expect(local.open('a')).toBe(1)
    for (const id of ['p1', 'p2']) {
      rig.servers.set(id, { name: id, url: `http://${id}` }, { tenant_id: platformTenant })
    }
    await rig.untilOffered('p1')
    expect([local.open('a'), local.open('g1') + local.open('g2')]).toEqual([1, 1])
    expect(local.made('p2')).toBe(0)
  })

  test("a user's server has fewer", async () => {
    const { rig, local } = createLocalRig({ callsPerUsersServer: 1 })
    await using _ = rig
    setOwn(rig, 'ann', 1)
    const hung = rig.say('ann0', 'x', { tool: 'hang' })
    await waitFor(() => local.hanging.length === 1)
    await expect(callAs(rig, 'ann', 'ann0')).rejects.toMatchObject({ code: 'quota_exceeded' })
    for (const letGo of local.hanging) letGo()
    await hung
  })

  test('calls over that of a server are refused; those of others go on', async () => {
    const { rig, local } = createLocalRig({ callsPerServer: 3 })
    await using _ = rig
    for (const id of ['a', 'b']) rig.servers.set(id, { name: id, url: `http://${id}` })
    const hung = Array.from({ length: 3 }, () => rig.say('a', 'x', { tool: 'hang' }))
    await waitFor(() => local.hanging.length === 3)
    await expect(rig.say('a', 'x')).rejects.toMatchObject({ code: 'quota_exceeded' })
    expect(await rig.say('b', 'x')).toBe('x')
    for (const letGo of local.hanging) letGo()
    await Promise.all(hung)
    expect(await rig.say('a', 'x')).toBe('x')
  })
})

describe('what a user needs', () => {
  test('is connected at the first use, once for all who wait, and closed when idle [F26]', async () => {
    const { rig, local, clock } = createFakeRig()
    await using _ = rig
    setOwn(rig, 'ann', 1)
    rig.upstreams.start()
    await clock.advanceAsync(minute)
    expect(local.made('ann0')).toBe(0)
    await Promise.all(Array.from({ length: 20 }, () => callAs(rig, 'ann', 'ann0')))
    expect(local.made('ann0')).toBe(1)
    await clock.advanceAsync(4 * minute)
    await callAs(rig, 'ann', 'ann0')
    await clock.advanceAsync(4 * minute)
    expect(local.open('ann0')).toBe(1)
    await clock.advanceAsync(2 * minute)
    expect(local.open('ann0')).toBe(0)
    expect(rig.offered('ann0')).toBeDefined()
    await callAs(rig, 'ann', 'ann0')
    expect(local.made('ann0')).toBe(2)
  })

  test('is connected when a session begins, and lives a while longer than the last', async () => {
    const { rig, local, clock } = createFakeRig()
    await using _ = rig
    setOwn(rig, 'ann', 1)
    rig.upstreams.start()
    const ends = [1, 2].map(() => rig.upstreams.hold({ tenant_id: 'acme', user_id: 'ann' }))
    await clock.advanceAsync(60 * minute)
    expect([local.open('ann0'), local.made('ann0')]).toEqual([1, 1])
    ends[0]?.()
    ends[0]?.()
    await clock.advanceAsync(minute)
    expect(local.open('ann0')).toBe(1)
    ends[1]?.()
    await clock.advanceAsync(20_000)
    expect(local.open('ann0')).toBe(1)
    await clock.advanceAsync(20_000)
    expect(local.open('ann0')).toBe(0)
  })

  test('and adds during a session is connected at once', async () => {
    const { rig, local } = createLocalRig()
    await using _ = rig
    rig.upstreams.start()
    rig.upstreams.hold({ tenant_id: 'acme', user_id: 'ann' })
    setOwn(rig, 'ann', 1)
    setOwn(rig, 'bob', 1)
    await rig.untilOffered('ann0')
    expect(local.made('bob0')).toBe(0)
  })
})

const sessions = longCount(20, 1_000)

test(
  `no process is left after ${sessions} sessions of users, and none after the end [F32]`,
  async () => {
    const mark = `mark-${process.pid}-${Date.now()}`
    {
      await using rig = createRig({ limits: { lingerMs: 4, perProcess: 100_000 } })
      rig.upstreams.start()
      for (let round = 0; round < sessions; round += 1) {
        const user_id = `user${round}`
        const owner = { tenant_id: 'acme', user_id }
        rig.servers.set(user_id, { name: 'sh', command: 'sh', args: ['-c', shell, mark] }, owner)
        const release = rig.upstreams.hold(owner)
        expect(await callAs(rig, user_id, user_id)).toBe('hi')
        release()
      }
      await waitFor(() => processesOf(mark).length <= 1)
      const last = rig.upstreams.call(keyOf('user0', 'user0'), echo('x'))
      await last
      expect(processesOf(mark).length).toBeGreaterThan(0)
    }
    expect(processesOf(mark)).toEqual([])
  },
  longCount(30_000, 600_000),
)

async function callAs(rig: Rig, user_id: string | null, server_id = 'a'): Promise<string> {
  const { result } = await rig.upstreams.call(keyOf(server_id, user_id), echo('x'))
  const [part] = result.content as { text: string }[]
  return part?.text ?? ''
}

function setOwn(rig: Rig, user_id: string, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const name = `${user_id}${index}`
    rig.servers.set(name, { name, url: `http://${name}` }, { user_id })
  }
}

function createLocalRig(limits: Partial<UpstreamLimits> = {}, options: RigOptions = {}) {
  const local = createLocalServers()
  const { createTransport } = local
  return { local, rig: createRig({ createTransport, limits, ...options }) }
}

function createFakeRig(limits: Partial<UpstreamLimits> = {}) {
  const clock = createFakeClock()
  return { clock, ...createLocalRig(limits, { clock, kv: createMemoryKv({ clock }) }) }
}
