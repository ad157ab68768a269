import {
  hostileServerCommand,
  longCount,
  startFaultProxy,
  startHostileHttp,
  waitFor,
} from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { startTestHttp, type TestHttp } from './test-http.ts'
import { isAlive } from './test-processes.ts'
import { createRig, keyOf, type Rig } from './test-rig.ts'

/** Probes five times a second, so that a loss is found without a call. */
const healthEvery = 0.2

interface Loss {
  how: string
  lose(http: TestHttp): void | Promise<void>
  heal(http: TestHttp): void | Promise<void>
  told: RegExp
}

const losses: Loss[] = [
  {
    how: 'a 401',
    lose: (http) => http.refuse('a', 401),
    heal: (http) => http.refuse('a', 0),
    told: /401.*credentials/s,
  },
  {
    how: 'a 404',
    lose: (http) => http.refuse('a', 404),
    heal: (http) => http.refuse('a', 0),
    told: /404/,
  },
  {
    how: 'a 503',
    lose: (http) => http.refuse('a', 503),
    heal: (http) => http.refuse('a', 0),
    told: /503/,
  },
  {
    how: 'a dropped connection',
    lose: (http) => http.kill(),
    heal: (http) => http.comeBack(),
    told: /Check the address/,
  },
]

describe.concurrent.each(losses)('$how', ({ lose, heal, told }) => {
  test('withdraws the tools at once, and they return by themselves [A1.3] [A1.4]', async () => {
    await using http = await startTestHttp()
    await using rig = createRig()
    rig.servers.set('a', { name: 'a', url: http.url('a'), healthEvery })
    rig.upstreams.start()
    await rig.untilOffered('a')
    await lose(http)
    await rig.untilWithdrawn('a')
    await waitFor(() => healthOf(rig).status === 'error' && told.test(healthOf(rig).message ?? ''))
    await expect(rig.say('a', 'x')).rejects.toMatchObject({
      kind: 'unavailable',
      mayHaveRun: false,
      data: { attempts: 1 },
    })
    expect(healthOf(rig).retry_at).toSatisfy(Number.isInteger)
    await heal(http)
    await rig.untilOffered('a')
    expect(await rig.say('a', 'back')).toBe('back')
    const [begun, ...lines] = rig.log.filter((line) => !/^(stderr|connecting)/.test(line))
    expect([begun, lines.at(-1)]).toEqual(['running', 'running'])
    expect(lines[0]).toMatch(/^unreachable: /)
  })

  test('at the first handshake is an error with words, and is tried again [A1.3] [A1.4]', async () => {
    await using http = await startTestHttp()
    await lose(http)
    await using rig = createRig()
    rig.servers.set('a', { name: 'a', url: http.url('a'), healthEvery })
    rig.upstreams.start()
    await waitFor(() => healthOf(rig).status === 'error')
    expect(healthOf(rig).message).toMatch(told)
    expect((healthOf(rig).retry_at ?? 0) - Date.now()).toBeLessThanOrEqual(1_000)
    await heal(http)
    await rig.untilOffered('a')
  })
})

test('a server that falls silent is withdrawn by the probe, and returns [A1.3] [A1.4] [F8]', async () => {
  await using http = await startTestHttp()
  await using proxy = await startFaultProxy({ target: http.url('a') })
  await using rig = createRig()
  rig.servers.set('a', { name: 'a', url: proxy.url, healthEvery, timeout: 1 })
  rig.upstreams.start()
  await rig.untilOffered('a')
  await proxy.set({ kind: 'black_hole' })
  await rig.untilWithdrawn('a')
  await proxy.set({ kind: 'pass' }, 'new')
  await proxy.set({ kind: 'reset' }, 'open')
  await rig.untilOffered('a')
})

test('the catalogue and the watchers are told of a loss in the same tick [A1.3]', async () => {
  await using http = await startTestHttp()
  await using rig = createRig()
  rig.servers.set('a', { name: 'a', url: http.url('a') })
  rig.upstreams.start()
  await rig.untilOffered('a')
  await http.kill()
  let isSameTick: boolean | undefined
  rig.upstreams.onHealth(() => {
    if (isSameTick !== undefined) return
    isSameTick = false
    queueMicrotask(() => {
      isSameTick = rig.offered('a') === undefined
    })
  })
  await rig.say('a', 'x').catch(() => undefined)
  await waitFor(() => isSameTick !== undefined)
  expect(isSameTick).toBe(true)
})

test('a session that was forgotten while idle is opened anew and the call works [A1.4]', async () => {
  await using http = await startTestHttp()
  await using rig = createRig()
  rig.servers.set('a', { name: 'a', url: http.url('a') })
  rig.upstreams.start()
  await rig.untilOffered('a')
  http.forgetSessions()
  expect(await rig.say('a', 'again', { maxRetries: 3 })).toBe('again')
  expect(rig.offered('a')).toEqual(['echo', 'tool_1'])
})

describe('killed and back', { timeout: longCount(30_000, 300_000) }, () => {
  const rounds = longCount(1, 20)

  test('over HTTP it is usable within 2 s × 5 [A1.4]', async () => {
    await using http = await startTestHttp()
    await using rig = createRig()
    rig.servers.set('a', { name: 'a', url: http.url('a') })
    rig.upstreams.start()
    await rig.untilOffered('a')
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      await http.kill()
      await rig.say('a', 'x').catch(() => undefined)
      await http.comeBack()
      times.push(await untilAnswered(rig))
    }
    console.log(`HTTP: usable after ${times.map(Math.round)} ms`)
    expect(Math.max(...times)).toBeLessThan(10_000)
  })

  test('over stdio it is usable within 2 s × 5, and leaves no process [A1.4]', async () => {
    await using command = await hostileServerCommand('none')
    const pids = () => command.notes('start').filter(isAlive)
    {
      await using rig = createRig()
      rig.servers.set('a', { name: 'a', command: command.command, args: [...command.args] })
      rig.upstreams.start()
      await rig.untilOffered('a')
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        process.kill(Number(command.notes('start').at(-1)), 'SIGKILL')
        await rig.untilWithdrawn('a')
        times.push(await untilAnswered(rig))
      }
      console.log(`stdio: usable after ${times.map(Math.round)} ms`)
      expect(Math.max(...times)).toBeLessThan(10_000)
      expect(pids()).toHaveLength(1)
    }
    expect(pids()).toEqual([])
  })
})

test('what a server says it needs a person for is an error without a next attempt', async () => {
  await using rig = createRig({ egressFor: () => ({}) as never })
  rig.servers.set('a', { name: 'a', url: 'http://127.0.0.1:1/', credentials: 'user' })
  rig.upstreams.start()
  await expect(rig.upstreams.refresh(keyOf('a', 'ann'))).rejects.toMatchObject({
    kind: 'sign_in',
    code: 'unauthenticated',
    message: expect.stringContaining('your own credentials'),
  })
})

test('an SSE server that drops its stream comes back [A1.3] [A1.4]', async () => {
  await using server = await startHostileHttp('none')
  await using proxy = await startFaultProxy({ target: server.sseUrl })
  await using rig = createRig()
  rig.servers.set('a', { name: 'a', url: proxy.url, transport: 'sse' })
  rig.upstreams.start()
  await rig.untilOffered('a')
  await proxy.set({ kind: 'reset' }, 'open')
  await rig.untilWithdrawn('a')
  await rig.untilOffered('a')
  expect(await rig.say('a', 'x')).toBe('x')
})

function healthOf(rig: Rig) {
  const [health] = rig.upstreams.health('acme', 'a')
  if (health === undefined) throw new Error('no health')
  return health
}

async function untilAnswered(rig: Rig): Promise<number> {
  const begun = performance.now()
  const ask = () => rig.say('a', 'back').catch(() => undefined)
  await waitFor(async () => (await ask()) === 'back', { timeoutMs: 20_000 })
  return performance.now() - begun
}
