import { McpError } from '@dataagent/mcp'
import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { ReconnectWaits } from '../contract.ts'
import { createRefusalRetry } from './refusal-retry.ts'

const refused = new McpError({ kind: 'http', code: 'unavailable', message: 'no' })

/** How long each of so many attempts is waited for. */
async function waitsOf(count: number, waits?: ReconnectWaits) {
  const clock = createFakeClock()
  const taken: number[] = []
  let attempts = 0
  const refusals = createRefusalRetry({
    ...{ clock, waits },
    retry: () => {
      attempts += 1
    },
  })
  const next = async () => {
    const before = attempts
    const begun = clock.now()
    const at = refusals.failed(refused) ?? Number.NaN
    await clock.advanceAsync(Math.ceil(at - begun) - 1)
    expect(attempts).toBe(before)
    await clock.advanceAsync(1)
    expect(attempts).toBe(before + 1)
    return at - begun
  }
  for (let index = 0; index < count; index += 1) taken.push(await next())
  refusals.stop()
  return { taken, afterSuccess: await next() }
}

test('a server that refuses is tried at growing distances, up to a minute, anew after it agreed [A1.4]', async () => {
  const { taken, afterSuccess } = await waitsOf(9)
  const seconds = [1, 2, 4, 8, 16, 32, 60, 60, 60]
  for (const [index, whole] of seconds.entries()) {
    expect(taken[index]).toBeGreaterThanOrEqual(whole * 500)
    expect(taken[index]).toBeLessThanOrEqual(whole * 1_000)
  }
  expect(afterSuccess).toBeLessThanOrEqual(1_000)
})

test('the distances are as they are set [A1.4]', async () => {
  const { taken } = await waitsOf(3, { firstMs: 1_000, maxMs: 6_000 })
  for (const [index, whole] of [4_000, 6_000, 6_000].entries()) {
    expect(taken[index]).toBeGreaterThanOrEqual(whole / 2)
    expect(taken[index]).toBeLessThanOrEqual(whole)
  }
})

test('what only a change of ours can help is not tried again', () => {
  const clock = createFakeClock()
  const refusals = createRefusalRetry({ clock, retry: () => expect.unreachable() })
  const error = new McpError({
    kind: 'config',
    code: 'invalid_request',
    message: 'no such command',
  })
  expect([refusals.failed(error), clock.pending()]).toEqual([undefined, 0])
})
