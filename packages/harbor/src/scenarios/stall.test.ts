import { createClient } from '@dataagent/client'
import { expect, test } from 'vitest'
import { createClientAsker } from '../ask/index.ts'
import { startAgentServer, text } from '../ask/test-agent-server.ts'
import { runJob } from '../job/index.ts'
import { closedLoad, jobOf, rateLoad } from './test-asker.ts'

const stallMs = 1_000

/** Answers at once, but for one second that begins with the asking of that number. */
async function startStallingServer(at: number) {
  let asked = 0
  let stalled: Promise<void> | undefined
  return startAgentServer({
    async turn({ send }) {
      asked += 1
      if (asked === at) stalled = new Promise((resolve) => setTimeout(resolve, stallMs))
      await stalled
      send(text('It is 42.'))
    },
  })
}

const askerOf = (baseUrl: string) =>
  createClientAsker({
    ...{ client: createClient({ baseUrl, apiKey: 'key' }), transport: 'rest', approve: 'never' },
  })

// Both are right about what they say. A user who comes by at any moment meets the stall as often as
// the rate says; two users who are kept waiting are two answers among hundreds.
test('at a rate everybody who was to ask in a stall is seen to wait', async () => {
  await using server = await startStallingServer(60)
  await using asker = askerOf(server.baseUrl)
  const { times, trials } = await runJob(
    jobOf(asker, { attempts: 250, load: { ...rateLoad, rate: 150 } }),
  )
  expect(times.total.p99).toBeGreaterThan(stallMs * 0.9)
  // 150 are planned in it, and wait for what is left of it: half of them for half of it.
  const waited = trials.filter(({ total_ms }) => total_ms > stallMs / 2)
  expect(waited.length).toBeGreaterThanOrEqual(74)
})

test('at a rate with few under way those who could not even begin are seen to wait', async () => {
  await using server = await startStallingServer(60)
  await using asker = askerOf(server.baseUrl)
  const load = { ...rateLoad, rate: 150, concurrency: 4 }
  const { times, trials } = await runJob(jobOf(asker, { attempts: 250, load }))
  expect(times.total.p99).toBeGreaterThan(stallMs * 0.9)
  expect(trials.filter(({ total_ms }) => total_ms > stallMs / 2).length).toBeGreaterThanOrEqual(74)
  expect(times.late.p99).toBeGreaterThan(stallMs * 0.8)
  for (const { total_ms, late_ms, first_event_ms } of trials) {
    expect(total_ms).toBeGreaterThanOrEqual(late_ms)
    expect(first_event_ms).toBeGreaterThanOrEqual(late_ms)
  }
})

test('users who ask in turn do not ask in a stall: few are seen to wait', async () => {
  await using server = await startStallingServer(200)
  await using asker = askerOf(server.baseUrl)
  const { times, trials } = await runJob(
    jobOf(asker, { attempts: 400, load: { ...closedLoad, concurrency: 2 } }),
  )
  expect(times.total.max).toBeGreaterThan(stallMs * 0.9)
  expect(trials.filter(({ total_ms }) => total_ms > stallMs * 0.9)).toHaveLength(2)
  expect(times.total.p99).toBeLessThan(stallMs / 2)
})
