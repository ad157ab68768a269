import { McpError } from '@dataagent/mcp'
import { AppError } from '@dataagent/schema'
import { startHostileHttp, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { watchLoop } from '../test-loop-watch.ts'
import { startTestHttp } from './test-http.ts'
import { createLocalServers } from './test-local.ts'
import { createRig, echo, keyOf, type Rig } from './test-rig.ts'

describe('a call that fails', () => {
  test('is sent again where it is idempotent, after 100 and 200 ms [A4.2] [C5.4]', async () => {
    await using server = await startHostileHttp('server_errors', { times: 2 })
    await using rig = await connect(server.url)
    const begun = performance.now()
    const { attempts } = await callEcho(rig, { idempotent: true, maxRetries: 3 })
    expect(attempts).toBe(2)
    expect(performance.now() - begun).toBeGreaterThanOrEqual(99)
  })

  test('and may have run is not sent again where it is not idempotent [A4.2]', async () => {
    await using server = await startHostileHttp('server_errors')
    await using rig = await connect(server.url)
    await expect(callEcho(rig, { maxRetries: 3 })).rejects.toMatchObject({
      kind: 'http',
      mayHaveRun: true,
      data: { attempts: 1 },
    })
    expect(server.notes('effect')).toHaveLength(1)
  })

  test('with 429 is sent again, for it has not run [C5.4]', async () => {
    await using server = await startHostileHttp('too_many_requests', { times: 1 })
    await using rig = await connect(server.url)
    expect(await callEcho(rig, { maxRetries: 1 })).toMatchObject({ attempts: 2 })
  })

  test('as often as it may says so with the number of its retries [C5.4]', async () => {
    await using server = await startHostileHttp('too_many_requests')
    await using rig = await connect(server.url)
    await expect(callEcho(rig, { maxRetries: 2 })).rejects.toMatchObject({
      message: expect.stringContaining('mcp: call a.echo failed after 2 retries'),
      data: { attempts: 3 },
    })
  })

  test('is not sent again once its caller has left', async () => {
    await using server = await startHostileHttp('too_many_requests')
    await using rig = await connect(server.url)
    const controller = new AbortController()
    const call = callEcho(rig, { maxRetries: 5, options: { signal: controller.signal } })
    await waitFor(() => server.notes('received').includes('tools/call'))
    controller.abort()
    await expect(call).rejects.toMatchObject({ kind: 'cancelled', data: { attempts: 1 } })
  })

  test('is not sent again beyond its deadline', async () => {
    await using server = await startHostileHttp('too_many_requests')
    await using rig = await connect(server.url)
    const begun = performance.now()
    await expect(callEcho(rig, { maxRetries: 9, deadlineMs: 500 })).rejects.toThrow('retries')
    expect(performance.now() - begun).toBeLessThan(5_000)
  })
})

test('a call that takes too long ends at its deadline and is cancelled at the server [A4.1] [F2]', async () => {
  await using server = await startHostileHttp('hang')
  await using rig = await connect(server.url)
  const begun = performance.now()
  await expect(callEcho(rig, { deadlineMs: 300 })).rejects.toMatchObject({ kind: 'timeout' })
  expect(performance.now() - begun).toBeLessThan(5_000)
  await waitFor(() => server.notes('cancelled').length === 1)
})

test('a call that its caller ends is cancelled at the server', async () => {
  await using server = await startHostileHttp('hang')
  await using rig = await connect(server.url)
  const controller = new AbortController()
  const call = callEcho(rig, { options: { signal: controller.signal } })
  await waitFor(() => server.notes('received').includes('tools/call'))
  controller.abort()
  await expect(call).rejects.toMatchObject({ kind: 'cancelled', mayHaveRun: true })
  await waitFor(() => server.notes('cancelled').length === 1)
})

test('a server that fails all calls is left alone, and tried again by one call [F10]', async () => {
  const local = createLocalServers()
  await using rig = createRig({ createTransport: local.createTransport })
  rig.servers.set('a', { name: 'a', url: 'http://a' })
  local.failure = toError(503)
  for (let time = 0; time < 5; time += 1) {
    await expect(callEcho(rig, { tool: 'fail' })).rejects.toMatchObject({ kind: 'http' })
  }
  const before = local.calls
  const refused = await Promise.allSettled(Array.from({ length: 50 }, () => callEcho(rig, {})))
  expect(refused.map((end) => end.status === 'rejected' && end.reason.kind)).toEqual(
    refused.map(() => 'unavailable'),
  )
  expect(refused[0]).toMatchObject({ reason: { data: { retry_after_ms: expect.any(Number) } } })
  expect(local.calls).toBe(before)
  expect(rig.upstreams.health('acme', 'a')).toMatchObject([{ breaker: 'open' }])
  await waitFor(() => callEcho(rig, {}))
  expect(rig.upstreams.health('acme', 'a')).toMatchObject([{ breaker: 'closed' }])
})

test('a storm of 5xx adds at most a fifth to the load [F10]', async () => {
  const local = createLocalServers()
  await using rig = createRig({ createTransport: local.createTransport })
  rig.servers.set('a', { name: 'a', url: 'http://a' })
  local.failure = toError(503)
  let isIll = false
  const calls = Array.from({ length: 1_000 }, () => {
    isIll = !isIll
    const given = { tool: isIll ? 'fail' : 'echo', idempotent: true, maxRetries: 3 }
    return callEcho(rig, given).catch(() => undefined)
  })
  await Promise.all(calls)
  expect(local.calls).toBeLessThanOrEqual(1_250)
})

test('what the check before the sending throws ends the call, and nothing is sent', async () => {
  await using http = await startTestHttp()
  await using rig = createRig()
  rig.servers.set('a', { name: 'a', url: http.url('a') })
  const check = () => {
    expect(rig.offered('a')).toBeDefined()
    throw new AppError('tool_not_allowed', 'It has changed.')
  }
  await expect(callEcho(rig, { check, maxRetries: 3 })).rejects.toThrow('It has changed.')
  expect(http.calls('a')).toHaveLength(0)
})

test('a server inside this process may answer as much as others may', async () => {
  const local = createLocalServers()
  await using rig = createRig({ createTransport: local.createTransport })
  rig.servers.set('a', { name: 'a', url: 'http://a' })
  const say = (message: string) => callEcho(rig, { args: { message } })
  expect(await say('x'.repeat(1024 * 1024))).toMatchObject({ attempts: 1 })
  using watch = watchLoop()
  await expect(say('x'.repeat(60 * 1024 * 1024))).rejects.toMatchObject({ kind: 'too_large' })
  expect(watch.worstMs()).toBeLessThan(2_000)
})

function toError(statusCode: number): McpError {
  const details = { statusCode, retryable: true, mayHaveRun: true }
  return new McpError({ kind: 'http', code: 'upstream_failed', message: 'busy', ...details })
}

async function connect(url: string): Promise<Rig> {
  const rig = createRig()
  rig.servers.set('a', { name: 'a', url })
  rig.upstreams.start()
  await rig.untilOffered('a')
  return rig
}

function callEcho(rig: Rig, given: Parameters<typeof echo>[1]) {
  return rig.upstreams.call(keyOf('a'), echo('x', given))
}
