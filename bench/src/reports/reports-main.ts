// Puts 100 and then 1,000 users on the real server, over REST and over WebSocket, with the model's
// stand-in behind it, and keeps what harbor reports in docs/reports; before that, harbor asks a
// server whose times are known.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EvaluationReport, evaluationReportSchema } from '@dataagent/schema'
import { startModelStandIn } from '@dataagent/testkit'
import { cpuOf, familyOf, ownCpu } from '../harness.ts'
import { startServerProcess } from '../server/server-process.ts'
import { measureKnownTimes, toKnownPart } from './known-times.ts'
import { toTable } from './table.ts'

const root = join(import.meta.dirname, '../../..')
const target = join(root, 'docs/reports')
const launcher = join(root, 'scripts/dataagent.mjs')

/** The first word after 300 ms, then one each 20 ms: a quick model's pace. */
const model = 'standin-ttft300-itl20-len40'
const key = 'key-of-harbor-0123456789'
const seconds = Number(process.env.DATAAGENT_REPORT_SECONDS ?? 30)
const runs = [100, 1_000].flatMap((users) =>
  (['rest', 'ws'] as const).map((transport) => ({ users, transport })),
)

const questions = [
  { question: 'What is the weather in Hangzhou today?', expected_pattern: '\\w+' },
  { question: '上月各区域销售额是多少？', expected_pattern: '\\S+', category: 'sales' },
  { question: 'Which orders are late?', expected_pattern: '\\w+', category: 'orders' },
]

await using dir = await temporary()
await mkdir(target, { recursive: true })
// First: what it uses of a processor is that of this process.
const known = await measureKnownTimes(seconds)
await using standIn = await startModelStandIn({ recordLimit: 0 })
const set = join(dir.path, 'questions.json')
await writeFile(set, JSON.stringify({ name: 'load', questions }))
interface Measured {
  report: EvaluationReport
  /** What the others used of the processors meanwhile, in seconds. */
  cpu: { server: number; standIn: number }
}

const reports: ({ name: string; users: number } & Measured)[] = []
for (const { users, transport } of runs) {
  const name = `users-${users}-${transport}`
  console.log(name)
  const measured = await measure({ users, transport, out: join(dir.path, name) })
  await copyFile(join(dir.path, name, 'report.html'), join(target, `${name}.html`))
  reports.push({ name, users, ...measured })
}
await writeFile(join(target, 'README.md'), toPage())

async function measure(run: { users: number; transport: string; out: string }): Promise<Measured> {
  await using server = await startServerProcess({
    env: {
      DATAAGENT_API_KEYS: `tenant=default;user=harbor;role=user;key=${key}`,
      ...{ DATAAGENT_MODEL: `openai:${model}`, OPENAI_API_KEY: standIn.apiKey },
      ...{ OPENAI_BASE_URL: `${standIn.url}/v1`, DATAAGENT_LOG_LEVEL: 'warning' },
      ...{ DATAAGENT_MAX_RUNNING_TURNS: '2000', DATAAGENT_MAX_LOOP_DELAY_MS: '10000' },
      // All users are one here.
      ...{ DATAAGENT_WS_MAX_SOCKETS_PER_USER: '2000', DATAAGENT_MAX_REQUESTS_PER_USER: '5000' },
      DATAAGENT_MAX_REQUESTS: '5000',
    },
  })
  const ramp = Math.ceil(run.users / 100)
  const flags = [
    ...['--url', server.url, '--transport', run.transport],
    ...['--concurrency', String(run.users), '--duration', String(seconds)],
    ...['--ramp', String(ramp), '--warm-up', String(ramp), '--out', run.out],
  ]
  const readCpu = async () => [await cpuOf(await familyOf(server.pid)), ownCpu()] as const
  const before = await readCpu()
  const child = spawn(process.execPath, [launcher, 'harbor', 'run', set, ...flags], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DATAAGENT_API_KEY: key },
  })
  await once(child, 'exit')
  const [ofServer, own] = await readCpu()
  const text = await readFile(join(run.out, 'report.json'), 'utf8')
  return {
    report: evaluationReportSchema.parse(JSON.parse(text)),
    cpu: { server: (ofServer - before[0]) / 1e6, standIn: (own - before[1]) / 1e6 },
  }
}

function toPage(): string {
  const cells = reports.map(({ name, users, report, cpu }) => {
    const { target: to, times, throughput, counts, failures, asker } = report
    const { first_event, total } = times
    return [
      ...[users.toLocaleString('en'), to.transport, counts.total.toLocaleString('en')],
      ...[counts.total - counts.passed, failures.infrastructure, throughput.toFixed(0)],
      ...[toMs(first_event.p50), toMs(first_event.p99)],
      ...[toMs(total.p50), toMs(total.p95), toMs(total.p99)],
      ...[`${Math.round(asker.cpu_share * 100)} %`],
      ...[asker.cpu_seconds, cpu.server, cpu.standIn].map((used) => used.toFixed(1)),
      `${Math.round((asker.cpu_seconds / (asker.cpu_seconds + cpu.server + cpu.standIn)) * 100)} %`,
      `[report](${name}.html)`,
    ]
  })
  const heading = [
    ...['users', 'transport', 'trials', 'not passed', 'of them infrastructure', 'turns a second'],
    ...['first event p50', 'p99', 'whole turn p50', 'p95', 'p99', "harbor's CPU, of one core"],
    ...['CPU seconds: harbor', 'platform', 'stand-in', "harbor's share of them", ''],
  ]
  return [
    '# Load reports',
    '',
    'Written by `npm run reports`; do not edit. Each run is `dataagent harbor run` in a closed loop: so many users, each asking again as',
    `soon as it is answered, for ${seconds} seconds after a ramp and a warm-up. Behind the platform is the model's stand-in, which sends its first`,
    'word after 300 ms and then 40 words 20 ms apart: about 1.1 s of each turn are its own. Platform (one worker, SQLite), stand-in and',
    'harbor share the two cores of one machine, so that at 1,000 users the cores are what is measured.',
    '',
    '- **Shedding is off.** A server as it is delivered refuses what is too much for it; for these runs its limits were raised until it did',
    '  not, so every turn waited instead, and the times at 1,000 users are those of waiting. `DATAAGENT_MAX_LOOP_DELAY_MS` was 10,000 instead',
    '  of 500, `DATAAGENT_MAX_RUNNING_TURNS` 2,000 instead of 200, `DATAAGENT_MAX_REQUESTS` 5,000 instead of 1,000. As delivered it',
    '  would have let more turns wait in line, or answered 503.',
    '- **All users are one user with one key.** Its limits were raised as well: `DATAAGENT_MAX_REQUESTS_PER_USER` 5,000 instead of 200,',
    '  `DATAAGENT_WS_MAX_SOCKETS_PER_USER` 2,000 instead of 50. Nothing here says how many people share a server.',
    '- **The loop is closed.** Who waits does not ask: where the server is slow the load falls, and the times look better than at a rate; see',
    '  [load](../harbor.md#load).',
    '- **Few trials at 1,000 users.** Each user asks a few times only, and the p99 stands on the slowest few.',
    '',
    ...toTable(heading, cells),
    '',
    ...toKnownPart(known),
    'Times are in milliseconds. How to read a report, and to make one of your own: [harbor](../harbor.md).',
    '',
  ].join('\n')
}

function toMs(ms: number): string {
  return Math.round(ms).toLocaleString('en')
}

async function temporary(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'harbor-reports-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
