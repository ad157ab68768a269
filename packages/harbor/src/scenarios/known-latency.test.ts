import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@dataagent/client'
import { longCount } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createClientAsker } from '../ask/index.ts'
import { startAgentServer, text } from '../ask/test-agent-server.ts'
import { runJob } from '../job/index.ts'
import { formatReport } from '../report/index.ts'
import { jobOf, rateLoad } from './test-asker.ts'
import { bimodal, exactPercentile, lognormal } from './test-distributions.ts'

const transports = ['rest', 'ws'] as const

/** Answers after the drawn times, and knows when each answer was given. */
async function startKnownServer(drawn: readonly number[]) {
  const answered = new Map<string, number>()
  let asked = 0
  const server = await startAgentServer({
    async turn({ session_id, send }) {
      const ms = drawn[asked] ?? 0
      asked += 1
      await pause(ms)
      send(text('It is 42.'))
      answered.set(session_id, Date.now())
    },
  })
  return { server, answered }
}

const rates = longCount(0, 1) === 1 ? [50, 200, 400] : [100]

test.each(rates.flatMap((rate) => transports.map((transport) => ({ rate, transport }))))(
  'over $transport, at $rate a second, percentiles are those of a server with known times [D27.4]',
  { timeout: 120_000 },
  async ({ rate, transport }) => {
    const count = rate * longCount(2, 10)
    for (const draw of [lognormal, bimodal]) {
      const drawn = draw(count)
      const { server, answered } = await startKnownServer(drawn)
      await using _server = server
      const client = createClient({ baseUrl: server.baseUrl, apiKey: 'key' })
      await using asker = createClientAsker({ client, transport, approve: 'never' })
      const load = { ...rateLoad, rate }
      const { trials, times, counts } = await runJob(jobOf(asker, { attempts: count, load }))
      expect(counts).toMatchObject({ total: count, passed: count })
      const waited = trials.map(
        ({ session_id, started_at, late_ms }) =>
          Number(answered.get(String(session_id))) - (started_at - late_ms),
      )
      for (const [percentile, share] of [
        ['p50', 0.5],
        ['p90', 0.9],
        ['p99', 0.99],
      ] as const) {
        const told = times.total[percentile]
        expect(told).toBeGreaterThan(exactPercentile(drawn, share) * 0.999 - 2)
        const exact = exactPercentile(waited, share)
        expect(Math.abs(told - exact)).toBeLessThan(exact * 0.1 + 20)
      }
    }
  },
)

/** Keeps this thread from its work for 80 of each 100 ms, without using a processor. */
function starve(): Disposable {
  const nothing = new Int32Array(new SharedArrayBuffer(4))
  const timer = setInterval(() => Atomics.wait(nothing, 0, 0, 80), 100)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

test.each(transports)(
  'an asker that is kept from its work over %s is marked',
  async (transport) => {
    const { server } = await startKnownServer([])
    await using _server = server
    const client = createClient({ baseUrl: server.baseUrl, apiKey: 'key' })
    await using asker = createClientAsker({ client, transport, approve: 'never' })
    using _starving = starve()
    const load = { ...rateLoad, rate: 20 }
    const report = await runJob(jobOf(asker, { attempts: 30, load }))
    expect(report.counts).toMatchObject({ total: 30, passed: 30 })
    expect(report.asker.cpu_share).toBeLessThan(0.8)
    expect(report.asker.loop_delay_p99_ms).toBeGreaterThan(50)
    const text = formatReport(report, { lang: 'en', width: 100, colour: false })
    expect(text).toContain('! One of 100 times the asker was')
  },
)
