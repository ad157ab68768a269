import { createClientAsker, runJob } from '@dataagent/harbor'
import { exactPercentile, lognormal } from '@dataagent/harbor/scenarios/test-distributions'
import { startKnownServer } from '@dataagent/harbor/scenarios/test-known-server'
import { questionSchema, type Trial } from '@dataagent/schema'
import { cpuOf } from '../harness.ts'
import { toTable } from './table.ts'

type Transport = 'rest' | 'ws'

/** Harbor at one rate, beside a server whose times are known. */
export interface KnownTimes {
  transport: Transport
  rate: number
  /** How many it has begun in each second. */
  begun: number
  passed: number
  count: number
  drawn: number[]
  told: number[]
  /** Shares of one core. */
  cpu: { harbor: number; server: number }
}

const rates = [50, 200, 500, 1_000]
/** Only where all of those hold. */
const beyond = 2_000
/** Over WebSocket each question is a connection, and there are no more than 28,000 ports. */
const longest = 10
const shares = [0.5, 0.95, 0.99]
const least = { begun: 0.99, ms: 10, share: 0.1 }

/** Asks at each rate for so many seconds, over both transports, all of it in this process. */
export async function measureKnownTimes(seconds: number): Promise<KnownTimes[]> {
  const all: KnownTimes[] = []
  for (const transport of ['rest', 'ws'] as const) {
    const measure = (rate: number) => ask(transport, rate, Math.min(seconds, longest))
    // What is run for the first time is compiled meanwhile.
    await measure(100)
    const own: KnownTimes[] = []
    for (const rate of rates) own.push(await measure(rate))
    if (own.every(holds)) own.push(await measure(beyond))
    all.push(...own)
  }
  return all
}

const question = questionSchema.parse({
  ...{ question_id: 'q1', question: 'How many?', expected_keywords: ['42'] },
})

async function ask(transport: Transport, rate: number, seconds: number): Promise<KnownTimes> {
  console.log(`known times, ${transport}, ${rate} a second`)
  const count = Math.ceil(rate * seconds)
  await using server = await startKnownServer('lognormal', count)
  const client = { baseUrl: server.baseUrl, apiKey: 'key' }
  await using asker = createClientAsker({ client, transport, approve: 'never' })
  const serverCpu = await cpuOf([server.pid])
  const began = performance.now()
  const {
    asker: own,
    counts,
    times,
    trials,
  } = await runJob({
    ...{ run_id: `known-${rate}`, set: { name: 'known', questions: [question] }, asker },
    ...{ attempts: count, max_seconds: 60 },
    load: {
      ...{ mode: 'rate', rate, concurrency: 10_000, ramp_seconds: 0, warm_up_seconds: 0 },
      duration_seconds: null,
    },
    target: { url: server.baseUrl, transport, assistant_id: null, server_version: null },
  })
  const wall = (performance.now() - began) * 1_000
  const drawn = lognormal(count)
  return {
    ...{ transport, rate, count, passed: counts.passed, begun: begunASecond(trials) },
    drawn: shares.map((share) => exactPercentile(drawn, share)),
    told: [times.total.p50, times.total.p95, times.total.p99],
    cpu: {
      harbor: own.cpu_share,
      server: ((await cpuOf([server.pid])) - serverCpu) / wall,
    },
  }
}

function begunASecond(trials: readonly Trial[]): number {
  const moments = trials.map(({ started_at }) => started_at).toSorted((a, b) => a - b)
  const ms = Number(moments.at(-1)) - Number(moments[0])
  return ((moments.length - 1) * 1_000) / Math.max(1, ms)
}

function holds({ rate, begun, passed, count, drawn, told }: KnownTimes): boolean {
  const isRight = told.every((ms, at) => {
    const exact = drawn[at] ?? 0
    return Math.abs(ms - exact) <= Math.max(least.ms, exact * least.share)
  })
  return isRight && passed === count && begun >= rate * least.begun
}

export function toKnownPart(all: readonly KnownTimes[]): string[] {
  const head = [
    ...[
      'transport',
      'asked a second',
      'begun',
      'answered',
      'p50 drawn',
      'told',
      'p95 drawn',
      'told',
    ],
    ...['p99 drawn', 'told', 'more at p50, p95, p99', "harbor's CPU", "the server's", 'holds'],
  ]
  return [
    '## Known times',
    '',
    'What harbor tells beside what is true: a server in a process of its own answers after times that were drawn beforehand, most of them near',
    `40 ms with a long tail. Harbor asks at a fixed rate for up to ${longest} seconds, on the same two cores. A rate *holds* where at least`,
    `${least.begun * 100} % of it was begun, all were answered, and each percentile is within ${least.ms} ms, or ${least.share * 100} %, of what was drawn. CPU is a share of one core.`,
    '',
    ...toTable(head, all.map(toCells)),
    '',
    ...(['rest', 'ws'] as const).map((transport) => toEnd(transport, all)),
    '',
  ]
}

function toCells(one: KnownTimes): string[] {
  const { transport, rate, begun, passed, count, drawn, told, cpu } = one
  const pairs = drawn.flatMap((exact, at) => [exact, told[at] ?? 0].map((ms) => ms.toFixed(0)))
  const more = drawn.map((exact, at) => ((told[at] ?? 0) - exact).toFixed(1)).join(', ')
  return [
    ...[transport, rate.toLocaleString('en'), begun.toFixed(0)],
    ...[`${passed.toLocaleString('en')} of ${count.toLocaleString('en')}`, ...pairs, more],
    ...[toPercent(cpu.harbor), toPercent(cpu.server), holds(one) ? 'yes' : 'no'],
  ]
}

function toEnd(transport: Transport, all: readonly KnownTimes[]): string {
  const own = all.filter((one) => one.transport === transport)
  const first = own.find((one) => !holds(one))
  const name = transport === 'rest' ? 'REST' : 'WebSocket'
  if (first) return `- Over ${name} ${first.rate.toLocaleString('en')} a second no longer holds.`
  return `- Over ${name} all of these hold.`
}

const toPercent = (share: number) => `${Math.round(share * 100)} %`
