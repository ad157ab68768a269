import { createMemoryKv } from '@dataagent/store/kv'
import {
  createCanary,
  hostileServerCommand,
  longCount,
  startHostileHttp,
  waitFor,
} from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startTestHttp } from './test-http.ts'
import { isAlive } from './test-processes.ts'
import { createRig, keyOf, type Rig } from './test-rig.ts'

test('is open for business before anything is connected, and offers what it then finds', async () => {
  await using http = await startTestHttp()
  await using rig = createRig()
  rig.servers.set('a', { name: 'a', url: http.url('a') })
  rig.upstreams.start()
  expect(rig.offered('a')).toBeUndefined()
  await rig.untilOffered('a')
  expect(rig.offered('a')).toEqual(['echo', 'tool_1'])
  expect(await rig.say('a', 'hi')).toBe('hi')
  expect(rig.upstreams.health('acme', 'a')).toMatchObject([
    { status: 'running', breaker: 'closed', holder: { owner: 'test', own: true } },
  ])
})

test('to refresh or reconnect is done when the catalogue has the tools', async () => {
  await using http = await startTestHttp()
  let known = 0
  await using rig = createRig({
    async observe(_place, { status }) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (status === 'offers') known += 1
    },
  })
  rig.servers.set('a', { name: 'a', url: http.url('a') })
  await rig.upstreams.refresh(keyOf('a'))
  expect(known).toBe(1)
  await rig.upstreams.reconnect(keyOf('a'))
  expect(known).toBe(2)
  await rig.upstreams.refresh(keyOf('a'))
  expect(known).toBe(3)
})

test('to refresh or reconnect fails with why the catalogue has no tools', async () => {
  await using http = await startTestHttp()
  const observe = () => Promise.reject(new Error('the store is away'))
  await using rig = createRig({ observe })
  rig.servers.set('a', { name: 'a', url: http.url('a') })
  const why = { kind: 'unavailable', message: expect.stringContaining('the store is away') }
  await expect(rig.upstreams.refresh(keyOf('a'))).rejects.toMatchObject(why)
  await expect(rig.upstreams.reconnect(keyOf('a'))).rejects.toMatchObject(why)
})

test('who no longer waits for the catalogue is let go', async () => {
  await using http = await startTestHttp()
  await using rig = createRig({ observe: () => new Promise(() => undefined) })
  rig.servers.set('a', { name: 'a', url: http.url('a') })
  const asked = new AbortController()
  rig.upstreams.onHealth(({ status }) => status === 'running' && setTimeout(() => asked.abort()))
  const done = rig.upstreams.refresh(keyOf('a'), { signal: asked.signal })
  await expect(done).rejects.toMatchObject({ kind: 'cancelled' })
})

test('50 servers are there soon though one is refused and one hangs [A6.2]', async () => {
  await using http = await startTestHttp({ tools: 20 })
  await using hanging = await startHostileHttp('half_open')
  await using rig = createRig()
  const names = Array.from({ length: 50 }, (_, index) => `s${index}`)
  rig.servers.set('hanging', { name: 'hanging', url: hanging.url, timeout: 20 })
  rig.servers.set('refused', { name: 'refused', url: 'http://127.0.0.1:1/mcp' })
  for (const name of names) rig.servers.set(name, { name, url: http.url(name) })
  const begun = performance.now()
  rig.upstreams.start()
  for (const name of names) await rig.untilOffered(name)
  const ms = performance.now() - begun
  console.log(`50 servers × 20 tools offered after ${Math.round(ms)} ms`)
  expect(ms).toBeLessThan(1_500 * 5)
  expect(await Promise.all(names.map((name) => rig.say(name, name)))).toEqual(names)
  const [refused] = rig.upstreams.health('acme', 'refused')
  expect(refused).toMatchObject({ status: 'error', retry_at: expect.any(Number) })
  expect(rig.upstreams.health('acme', 'hanging')).toMatchObject([{ status: 'stopped' }])
})

test('a black hole in front of one server does not slow another [A6.2]', async () => {
  await using http = await startTestHttp()
  await using hole = await startHostileHttp('hang')
  await using rig = createRig()
  rig.servers.set('a', { name: 'a', url: hole.url, timeout: 30 })
  rig.servers.set('b', { name: 'b', url: http.url('b') })
  rig.upstreams.start()
  await Promise.all([rig.untilOffered('a'), rig.untilOffered('b')])
  const alone = await timeOf(() => rig.say('b', 'x'))
  const signal = AbortSignal.timeout(20_000)
  const hung = Array.from({ length: 200 }, () =>
    rig
      .say('a', 'x', { options: { signal }, deadlineMs: longCount(1_000, 2_000) })
      .catch((error) => error.kind),
  )
  const beside = await timeOf(() => rig.say('b', 'x'))
  expect(beside).toBeLessThan(alone * 5 + 50)
  expect(new Set(await Promise.all(hung))).toEqual(new Set(['timeout']))
})

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < longCount(20, 500); round += 1) {
    const begun = performance.now()
    await run()
    times.push(performance.now() - begun)
  }
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
}

test('the trace context and further meta go to the server', async () => {
  await using http = await startTestHttp()
  await using rig = createRig()
  rig.servers.set('a', { name: 'a', url: http.url('a') })
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  await rig.upstreams.refresh(keyOf('a'))
  await rig.say('a', 'x', { options: { trace: { traceparent }, meta: { own: 1 } } })
  expect(http.calls('a')[0]?.meta).toMatchObject({ traceparent, own: 1 })
})

test('tools that change are told again, and so are those that a person asks for', async () => {
  await using server = await startHostileHttp('list_changes_mid_call')
  await using rig = createRig()
  rig.servers.set('a', { name: 'a', url: server.url })
  rig.upstreams.start()
  await rig.untilOffered('a')
  await rig.say('a', 'x')
  await waitFor(() => descriptionsOf(rig).some((text) => text.startsWith('Changed by')))
  const before = rig.observed.length
  await rig.upstreams.refresh(keyOf('a'))
  expect(rig.observed.length).toBeGreaterThan(before)
})

test('a person may have a server connected anew at once', async () => {
  await using http = await startTestHttp()
  http.refuse('a', 403)
  await using rig = createRig()
  rig.servers.set('a', { name: 'a', url: http.url('a') })
  await expect(rig.upstreams.reconnect(keyOf('a'))).rejects.toMatchObject({ statusCode: 403 })
  http.refuse('a', 0)
  await rig.upstreams.reconnect(keyOf('a'))
  expect(rig.offered('a')).toEqual(['echo', 'tool_1'])
})

test('a server that does not answer in time is cut, told, and nothing of it stays [D31]', async () => {
  await using command = await hostileServerCommand('hang_at_initialize')
  await using rig = createRig({ backoff: { firstMs: 60_000, maxMs: 60_000 } })
  const { command: program, args } = command
  rig.servers.set('a', { name: 'a', command: program, args: [...args], timeout: 0.5 })
  rig.upstreams.start()
  await waitFor(() => rig.log.some((line) => line.startsWith('unreachable: ')), {
    timeoutMs: 15_000,
  })
  expect(rig.log.join('\n')).toContain('raise its timeout')
  await waitFor(() => command.notes('start').every((pid) => !isAlive(pid)))
})

test('no secret of a server is in a log line, a health, an error or the KV [A1.5]', async () => {
  const canary = createCanary()
  await using server = await startHostileHttp('reflects_headers')
  await using http = await startTestHttp()
  await using kv = createMemoryKv()
  const written: string[] = []
  const watched = {
    ...kv,
    publish(channel: string, text: string) {
      written.push(channel, text)
      return kv.publish(channel, text)
    },
    acquireLease(name: string, given: Parameters<typeof kv.acquireLease>[1]) {
      written.push(name)
      return kv.acquireLease(name, given)
    },
  }
  await using rig = createRig({ kv: watched })
  const headers = { Authorization: canary.header, 'x-key': canary.apiKey }
  const env = { TOKEN: canary.apiKey }
  const script = 'echo "my token is $TOKEN" >&2; exit 1'
  rig.servers.set('reflecting', { name: 'reflecting', url: server.url, headers })
  rig.servers.set('refusing', { name: 'refusing', url: http.url('a'), headers })
  rig.servers.set('dying', { name: 'dying', command: 'sh', args: ['-c', script], env })
  http.refuse('a', 401)
  rig.upstreams.start()
  await rig.untilOffered('reflecting')
  const error = await rig.say('reflecting', 'x').catch((failure) => failure)
  await waitFor(() => rig.log.some((line) => line.includes('my token is')))
  await waitFor(() => rig.upstreams.health('acme', 'refusing')[0]?.status === 'error')
  const { message, bodyPreview, data } = error
  const told = [rig.log, rig.healths, rig.observed, message, bodyPreview, data, written]
  expect(written.length).toBeGreaterThan(3)
  expect(JSON.stringify(told)).not.toContain(canary.marker)
})

function descriptionsOf(rig: Rig): string[] {
  const last = rig.observed.at(-1)?.seen
  if (last?.status !== 'offers') return []
  return [...last.tools].map((tool) => String((tool as { description?: string }).description))
}
