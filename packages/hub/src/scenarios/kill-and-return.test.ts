import { join } from 'node:path'
import { mallCommand, startMall, startMallProcess } from '@dataagent/example-mall'
import { longCount, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { everything, startTestHub, type TestHub, toContext } from './test-hub.ts'
import { addNote, getOrder } from './test-mall-words.ts'
import { findProcesses } from './test-processes.ts'

const settings = { defaultAllow: everything }
/** One that dies again within seconds is waited for ever longer: so each hub sees two deaths. */
const deaths = 2
const hubs = longCount(1, 10)
const deathMs = 15_000

test(
  `servers that are killed are usable again, over HTTP and stdio, ${deaths * hubs} times [A1.4]`,
  async () => {
    await using directory = await temporaryDirectory()
    const times: Record<Way, number[]> = { http: [], stdio: [] }
    for (let n = 0; n < hubs; n += 1) {
      await killAndMeasure(times, join(directory.path, `shop-${n}.db`))
    }
    for (const [way, each] of Object.entries(times)) {
      console.info(`${way}: usable after ${each.map(Math.round).join(', ')} ms`)
      expect(Math.max(...each)).toBeLessThan(10_000)
    }
  },
  60_000 + hubs * deaths * deathMs,
)

type Way = 'http' | 'stdio'

async function killAndMeasure(times: Record<Way, number[]>, db: string): Promise<void> {
  await using http = await startMallProcess({ transport: 'http' })
  await using test = await startTestHub({ settings })
  await test.connect({ name: 'http', url: http.url })
  await test.connect({ name: 'stdio', ...mallCommand({ db }) })
  for (let death = 0; death < deaths; death += 1) {
    const pids = findProcesses(db)
    expect(pids).toHaveLength(1)
    await http.kill()
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    const comeBack = http.start().then(() => untilUsable(test, 'http'))
    const [httpMs, stdioMs] = await Promise.all([comeBack, untilUsable(test, 'stdio')])
    times.http.push(httpMs)
    times.stdio.push(stdioMs)
  }
  await test.hub.close()
  await waitFor(() => findProcesses(db).length === 0)
}

test.each(['http', 'sse'] as const)(
  'a session that was forgotten is opened anew over %s, and no effect is doubled [A1.4]',
  async (transport) => {
    await using mall = await startMall({ transport })
    await using test = await startTestHub({ settings })
    await test.connect({ name: 'mall', url: mall.url, transport })
    await mall.forgetSessions()
    const ms = await untilUsable(test, 'mall')
    console.info(`${transport}: usable ${Math.round(ms)} ms after the session was forgotten`)
    expect(ms).toBeLessThan(10_000)
    await mall.forgetSessions()
    const ended = await waitFor(async () => {
      const outcome = await test.hub.callTool(toContext(), addNote)
      return outcome.status === 'unavailable' ? undefined : outcome
    })
    // Over SSE the stream may end after the call was sent: then nobody knows.
    expect(transport === 'http' ? ['ok'] : ['ok', 'unknown_outcome']).toContain(ended.status)
    expect((await mall.calls(addNote.tool)).length).toBeLessThan(2)
  },
)

/** Milliseconds until a call of the server works. */
async function untilUsable({ hub }: TestHub, server_id: string): Promise<number> {
  const begun = performance.now()
  const call = { ...getOrder, tool: { server_id, name: getOrder.tool }, timeout_ms: 2_000 }
  await waitFor(async () => (await hub.callTool(toContext(), call)).status === 'ok', {
    timeoutMs: deathMs,
  })
  return performance.now() - begun
}
