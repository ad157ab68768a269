import {
  findService,
  type HostileCommand,
  hostileServerCommand,
  longCount,
  startHostileHttp,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestHttp } from './test-http.ts'
import { startOracle } from './test-oracle.ts'
import { isAlive } from './test-processes.ts'
import type { Servers, Store } from './test-worker.ts'
import { openStage, type Worker } from './test-workers.ts'

const hasRedis = (await findService('redis')) !== undefined
const stores: Store[] = hasRedis ? ['served', 'redis'] : ['served']
const leaseMs = 1_500
const stack = new AsyncDisposableStack()
let first: Worker
let second: Worker
/** To be killed, one for each store. */
let victims: Worker[]

beforeAll(async () => {
  const stage = stack.use(await openStage({ hasRedis }))
  const start = (name: string) => stage.startWorker(name)
  ;[first, second, ...victims] = [start('first'), start('second'), ...stores.map(start)]
  await Promise.all([first, second, ...victims].map((worker) => worker.run('stop')))
})
afterEach(async () => {
  await Promise.all([first.run('stop'), second.run('stop')])
})
afterAll(() => stack.disposeAsync())

const timeout = longCount(30_000, 300_000)
describe.each(stores)('two processes with a KV: %s', { timeout }, (store) => {
  test('one stdio child serves both, and each gets its own answers', async () => {
    await using command = await hostileServerCommand('none')
    await startAll(store, [first, second], { a: toConfig(command) })
    expect(command.notes('start')).toHaveLength(1)
    expect(await second.run('offered', 'a')).toEqual(['echo', 'count', 'touch', 'slow'])
    const holders = await Promise.all(
      [first, second].map(async (worker) => (await worker.run('health', 'a'))[0]?.holder),
    )
    expect(holders.map((holder) => holder?.own)).toEqual([true, false])
    const count = longCount(100, 20_000)
    const storms = await Promise.all(
      [first, second].map((worker) => worker.run('storm', 'a', count, worker.name)),
    )
    expect(storms).toEqual([
      { wrong: 0, failed: [] },
      { wrong: 0, failed: [] },
    ])
  })

  test('a question reaches the process of the call, and its answer the server', async () => {
    await using oracle = await startOracle('stdio v1')
    await startAll(store, [first, second], { a: oracle.config })
    const ask = (worker: Worker, name?: string) => {
      const asked = { tool: 'ask_person', args: {}, deadlineMs: 20_000, ...(name && { name }) }
      return worker.run('call', 'a', asked)
    }
    const name = '𝄞é'.repeat(60_000)
    expect(await ask(second, name)).toMatchObject({ text: `accept ${name}` })
    expect(await ask(first, 'Eve')).toMatchObject({ text: 'accept Eve' })
    expect(await ask(second)).toMatchObject({ text: 'cancel undefined' })
  })

  test('what is no tool is asked through the holder, and changes come back', async () => {
    await using oracle = await startOracle('stdio v1')
    await startAll(store, [first, second], { a: oracle.config })
    const uri = 'oracle://1'
    expect(await second.run('ask', 'a', 'resources/read', { uri })).toMatchObject({
      contents: [{ uri, text: 'content of oracle://1' }],
    })
    await second.run('subscribe', 'a', uri)
    await first.run('call', 'a', { tool: 'touch', args: { uri } })
    const notice = JSON.stringify({ kind: 'resource_updated', uri })
    for (const worker of [first, second]) {
      await waitFor(async () => (await worker.run('told')).includes(notice))
    }
  })

  test('large answers, progress, deadlines and cancels pass through the holder', async () => {
    await using command = await hostileServerCommand('none')
    await startAll(store, [first, second], { a: toConfig(command) })
    const message = '𝄞"\\é'.repeat(longCount(40_000, 200_000))
    const large = await second.run('call', 'a', { tool: 'echo', args: { message } })
    expect(large.status === 'ok' && large.text === message).toBe(true)
    const slow = { tool: 'slow', args: { ms: 200 } }
    expect(await second.run('call', 'a', slow)).toMatchObject({ progress: [1, 2, 3, 4, 5] })
    const long = { tool: 'slow', args: { ms: 20_000 } }
    expect(await second.run('call', 'a', { ...long, deadlineMs: 200 })).toMatchObject({
      kind: 'timeout',
      mayHaveRun: true,
      retryable: true,
    })
    expect(await second.run('call', 'a', { ...long, cancelAfterMs: 200 })).toMatchObject({
      kind: 'cancelled',
    })
    await waitFor(() => command.notes('cancelled').length === 2)
    expect(await second.run('call', 'a', { tool: 'nosuch', args: {} })).toMatchObject({
      kind: 'rpc',
      mayHaveRun: true,
    })
  })

  test('when the holder is killed its calls end soon and the other takes over', async () => {
    const victim = victims.find(({ name }) => name === store) as Worker
    await using command = await hostileServerCommand('none')
    await startAll(store, [victim, second], { a: toConfig(command) })
    const underWay = second.run('call', 'a', {
      tool: 'slow',
      args: { ms: 60_000 },
      deadlineMs: 60_000,
    })
    await waitFor(() => command.notes('received').filter((one) => one === 'tools/call').length)
    const begun = performance.now()
    await victim.kill()
    expect(await underWay).toMatchObject({ kind: 'closed', mayHaveRun: true })
    const endedMs = performance.now() - begun
    const again = { tool: 'echo', args: { message: 'mine' } }
    const answer = () => second.run('call', 'a', again)
    await waitFor(async () => (await answer()).status === 'ok', { timeoutMs: 15_000 })
    const ms = performance.now() - begun
    console.log(
      `calls ended after ${Math.round(endedMs)} ms, taken over after ${Math.round(ms)} ms`,
    )
    expect(ms).toBeLessThan((leaseMs + 2_000) * 2)
    expect((await second.run('health', 'a'))[0]?.holder).toEqual({ owner: 'second', own: true })
    expect(await second.run('offered', 'a')).toHaveLength(4)
    await second.run('stop')
    await waitFor(() => command.notes('start').filter(isAlive).length === 0)
  })
})

/** What the relay does once it is there is the same with each KV. */
const someStores = stores.slice(0, longCount(1, stores.length))
describe.each(someStores)('a holder and another process with a KV: %s', { timeout }, (store) => {
  test('a holder that was paused finds that it is none any more', async () => {
    await using command = await hostileServerCommand('none')
    await startAll(store, [first, second], { a: toConfig(command) })
    const holderSeenBy = async (worker: Worker) => (await worker.run('health', 'a'))[0]?.holder
    first.process.kill('SIGSTOP')
    await waitFor(async () => (await holderSeenBy(second))?.own === true, { timeoutMs: 15_000 })
    first.process.kill('SIGCONT')
    const isSecond = async () => (await holderSeenBy(first))?.owner === 'second'
    await waitFor(isSecond, { timeoutMs: 15_000 })
    const call = { tool: 'echo', args: { message: 'through' }, maxRetries: 3 }
    await waitFor(async () => okOnly(await first.run('call', 'a', call)), { timeoutMs: 10_000 })
    await waitFor(() => command.notes('start').filter(isAlive).length === 1)
  })

  test('a holder that closes in good order hands over at once', async () => {
    await using http = await startTestHttp()
    const config = { name: 'a', url: http.url('a') }
    await startAll(store, [first, second], { a: config }, { leaseMs: 60_000 })
    expect((await second.run('health', 'a'))[0]?.holder?.own).toBe(false)
    await first.run('stop')
    const holder = async () => (await second.run('health', 'a'))[0]?.holder
    await waitFor(async () => (await holder())?.own === true)
  })

  test('a loss that the holder sees is seen by the other, and the return too [A1.3]', async () => {
    await using http = await startTestHttp()
    const config = { name: 'a', url: http.url('a'), healthEvery: 0.2 }
    await startAll(store, [first, second], { a: config })
    expect((await second.run('health', 'a'))[0]?.holder?.own).toBe(false)
    http.refuse('a', 503)
    await waitFor(async () => (await second.run('offered', 'a')) === undefined)
    const [health] = await second.run('health', 'a')
    expect(health).toMatchObject({ status: 'error', message: expect.stringContaining('503') })
    http.refuse('a', 0)
    await waitFor(async () => (await second.run('offered', 'a')) !== undefined)
    expect(http.sessions()).toBeLessThanOrEqual(2)
  })

  test('a server without sessions is connected by each', async () => {
    await using server = await startHostileHttp('none', { era: 'modern' })
    await startAll(store, [first, second], { a: { name: 'a', url: server.url } })
    for (const worker of [first, second]) {
      const own = async () => (await worker.run('health', 'a'))[0]?.holder?.own
      await waitFor(async () => (await own()) === true)
      const call = { tool: 'echo', args: { message: worker.name } }
      const answer = await waitFor(async () => okOnly(await worker.run('call', 'a', call)))
      expect(answer).toMatchObject({ text: worker.name })
    }
  })
})

function okOnly<T extends { status: string }>(answer: T): T | undefined {
  return answer.status === 'ok' ? answer : undefined
}

function toConfig({ command, args }: HostileCommand) {
  return { name: 'a', command, args: [...args] }
}

/** One after the other: the first of them holds the connections. */
async function startAll(
  store: Store,
  workers: Worker[],
  servers: Servers,
  limits = { leaseMs },
): Promise<void> {
  for (const worker of workers) {
    await worker.run('start', store, servers, limits)
    const isOffered = async () => (await worker.run('offered', 'a')) !== undefined
    await waitFor(isOffered, { timeoutMs: 15_000 })
  }
}
