import type { ServerNotice } from '@dataagent/mcp'
import { createMemoryKv } from '@dataagent/store/kv'
import { waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Oracle, oracles, startOracle } from './test-oracle.ts'
import { createRig, echo, keyOf, type Rig, toText } from './test-rig.ts'

const uri = 'oracle://1'
const updated = { ...keyOf('a'), notice: { kind: 'resource_updated', uri } }

async function ask({ upstreams }: Rig, method: string, params = {}) {
  const call = echo('', { tool: method, args: params, deadlineMs: 20_000 })
  return (await upstreams.ask(keyOf('a'), call)).result
}

async function call({ upstreams }: Rig, tool: string, args = {}, onNotice?: unknown) {
  const hear = onNotice as (notice: ServerNotice) => void
  const options = onNotice ? { onNotice: hear, logLevel: 'debug' } : {}
  const order = echo('', { tool, args, deadlineMs: 20_000, options })
  return toText((await upstreams.call(keyOf('a'), order)).result)
}

describe.each(oracles)('what is no tool, over %s', (kind) => {
  let oracle: Oracle
  beforeAll(async () => {
    oracle = await startOracle(kind)
  })
  afterAll(() => oracle[Symbol.asyncDispose]())

  /** Two processes' worth of upstreams, with what each was told. */
  async function open() {
    const stack = new AsyncDisposableStack()
    const kv = stack.use(createMemoryKv())
    const start = (owner: string) => {
      const rig = createRig({ kv, owner, limits: { leaseMs: 500 } })
      const told: unknown[] = []
      rig.upstreams.onNotice((noticed) => told.push(noticed))
      rig.servers.set('a', oracle.config)
      rig.upstreams.start()
      return Object.assign(rig, { told })
    }
    const [first, second] = [stack.use(start('first')), stack.use(start('second'))]
    for (const rig of [first, second]) await rig.untilOffered('a', 20_000)
    return { first, second, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  }

  test('is asked of the server from whichever process, and comes as it was sent', async () => {
    await using stage = await open()
    for (const rig of [stage.first, stage.second]) {
      const { resources } = await ask(rig, 'resources/list')
      expect(resources).toHaveLength(5)
      expect(await ask(rig, 'resources/templates/list')).toMatchObject({
        resourceTemplates: [{ uriTemplate: 'oracle://{n}' }],
      })
      expect(await ask(rig, 'resources/read', { uri: 'oracle://3' })).toMatchObject({
        contents: [{ uri: 'oracle://3', text: 'content of oracle://3' }],
      })
      expect(await ask(rig, 'prompts/list')).toMatchObject({ prompts: [{ name: 'greet' }] })
      const prompt = await ask(rig, 'prompts/get', { name: 'greet', arguments: { whom: 'Eve' } })
      expect(JSON.stringify(prompt)).toContain('Say hello to Eve')
      const completed = await ask(rig, 'completion/complete', {
        ref: { type: 'ref/prompt', name: 'greet' },
        argument: { name: 'whom', value: 'Al' },
      })
      expect(completed).toMatchObject({ completion: { values: ['Alice', 'Albert'] } })
      await expect(ask(rig, 'tools/steal')).rejects.toMatchObject({ code: 'method_not_found' })
      const described = rig.upstreams.describe(keyOf('a'))
      expect(described?.capabilities).toMatchObject({ resources: { subscribe: true }, logging: {} })
    }
  })

  test('one subscription serves all, and changes reach every process', async () => {
    await using stage = await open()
    const { first, second } = stage
    const before = (await call(first, 'subscriptions')).length
    const stops = await Promise.all(
      [first, second, second].map((rig) => rig.upstreams.subscribe(keyOf('a'), uri)),
    )
    const subscriptions = async () => (await call(first, 'subscriptions')).slice(before)
    if (kind.endsWith('v1')) expect(await subscriptions()).toMatch(/^,?\+oracle:\/\/1$/)
    await call(first, 'touch', { uri })
    await expect.poll(() => [first.told, second.told], poll).toEqual([[updated], [updated]])
    await stops[0]?.()
    await stops[1]?.()
    await stops[1]?.()
    await waitFor(async () => {
      await call(first, 'touch', { uri })
      return second.told.length > 1
    }, poll)
    await stops[2]?.()
    if (kind.endsWith('v1')) {
      await expect.poll(subscriptions, poll).toMatch(/^,?\+oracle:\/\/1,-oracle:\/\/1$/)
    }
  })

  test('changed lists reach every process', async () => {
    await using stage = await open()
    const { first, second } = stage
    await waitFor(async () => {
      await call(first, 'change_lists')
      return first.told.length > 1 && second.told.length > 1
    }, poll)
    const kinds = (told: unknown[]) =>
      new Set(told.map((noticed) => (noticed as typeof updated).notice.kind))
    expect(kinds(first.told)).toEqual(new Set(['resources_changed', 'prompts_changed']))
    expect(kinds(second.told)).toEqual(kinds(first.told))
  })

  test('a subscription outlives the process that held the connection', async () => {
    await using stage = await open()
    const { first, second } = stage
    await second.upstreams.subscribe(keyOf('a'), uri)
    await first.upstreams.close()
    await waitFor(async () => {
      await call(second, 'touch', { uri }).catch(() => undefined)
      return second.told.length > 0
    }, poll)
    expect(second.told[0]).toEqual(updated)
  })

  test('a subscription outlives a loss, and is given up though it was', async () => {
    await using stage = await open()
    const { second } = stage
    const stop = await second.upstreams.subscribe(keyOf('a'), uri)
    await second.upstreams.reconnect(keyOf('a'))
    if (kind.endsWith('v1')) {
      await expect.poll(() => call(second, 'subscriptions'), poll).toMatch(/\+oracle:\/\/1$/)
    }
    await waitFor(async () => {
      await call(second, 'touch', { uri })
      return second.told.length > 0
    }, poll)
    await stop()
    if (kind.endsWith('v1')) {
      await expect.poll(() => call(second, 'subscriptions'), poll).toMatch(/-oracle:\/\/1$/)
    }
  })

  test('the log level that tells most stays, whoever asks for another', async () => {
    await using stage = await open()
    const { first, second } = stage
    await second.upstreams.setLevel(keyOf('a'), 'debug')
    await first.upstreams.setLevel(keyOf('a'), 'emergency')
    await second.upstreams.setLevel(keyOf('a'), 'error')
    const told: unknown[] = []
    await call(second, 'log', {}, (notice: unknown) => told.push(notice))
    await expect.poll(() => told, poll).toMatchObject([{ kind: 'log', level: 'info' }])
  })
})

const poll = { timeoutMs: 20_000, timeout: 20_000, what: 'it was told', intervalMs: 50 }
