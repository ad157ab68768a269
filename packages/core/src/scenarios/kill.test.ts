import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Approval } from '@dataagent/schema'
import { createDatabase, findService, longCount, temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { Conversation } from '../engine/conversation.ts'
import { loadConversation } from '../engine/load-conversation.ts'
import { runPoints } from '../engine/run.ts'
import type { RunEvent } from '../engine/run-log.ts'
import { of, person, startEngine, type TestEngine, textOf } from '../engine/test-engine.ts'
import { follow } from './test-follow.ts'
import { type KilledRun, type KillPoint, type KillScene, toKillEngine } from './test-kill-scene.ts'
import { yes } from './test-words.ts'

const program = fileURLToPath(new URL('./test-killed-run.ts', import.meta.url))
const points: readonly KillPoint[] = [...runPoints, 'before_effect', 'after_effect']
/** Three tools: a point may be reached three times. */
const times = [1, 2, 3]
const kills = longCount(20, 1_000)
const atOnce = 3

const hasMariadb = (await findService('mysql')) !== undefined

test(
  `a process that dies at any point of a run does nothing twice and loses no approval, ${kills} times [D3.4] [D11.3]`,
  async () => {
    await using places = await openPlaces()
    const tally = { killed: 0, unknown: 0, kept: 0 }
    const numbers = Array.from({ length: kills }, (_, i) => i).values()
    async function work(): Promise<void> {
      for (const i of numbers) await killOne(places.all[i % places.all.length]!, i, tally)
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    console.info(`${kills} runs:`, JSON.stringify(tally))
    expect(tally.killed).toBeGreaterThan(kills / 2)
    expect(tally.unknown).toBeGreaterThan(0)
    expect(tally.kept).toBeGreaterThan(0)
  },
  60_000 + kills * 10_000,
)

type Tally = Record<'killed' | 'unknown' | 'kept', number>

async function killOne({ scene, engine }: Place, i: number, tally: Tally): Promise<void> {
  const session_id = await engine.createSession()
  const dir = join(scene.dir, session_id)
  await mkdir(dir)
  if (await runUntilKilled({ ...scene, dir, session_id, ...toDeath(i) })) tally.killed += 1
  const before = await loadConversation(engine.sql.events, session_id)
  const left = { openRun: before.openRun, openCalls: before.openCalls }
  const approval = await pendingOf(engine, session_id)
  const effects = await effectsOf(scene, session_id)
  const executor = engine.createExecutor()
  const events = await resumeAndApprove({ ...engine, executor, session_id }, approval)
  if (approval && left.openRun) tally.kept += 1
  tally.unknown += of(events, 'tool_result').filter((e) => e.outcome === 'unknown_outcome').length
  expectOnce(left, { before: effects, after: await effectsOf(scene, session_id) }, events)
  const bye = follow(executor.execute('Bye', session_id, { principal: person }))
  expect(textOf(await bye.ended)).toBe('Goodbye.')
}

/** Each point in turn, and every fifth at a moment that is up to chance. */
function toDeath(i: number): Pick<KilledRun, 'at' | 'approves'> {
  const point = points[i % points.length]!
  const time = times[Math.floor(i / points.length) % times.length]!
  return {
    at: i % 5 === 4 ? undefined : { point, time: point === 'run_ended' ? 1 : time },
    approves: point === 'run_ended' || i % 3 === 2 ? 'everything' : 'inbox',
  }
}

type Left = Pick<Conversation, 'openRun' | 'openCalls'>
type Counts = Record<string, number>

function expectOnce(
  { openRun, openCalls }: Left,
  { before, after }: { before: Counts; after: Counts },
  events: readonly RunEvent[],
): void {
  expect(after.append ?? 0).toBeLessThan(2)
  expect(after.send ?? 0).toBeLessThan(2)
  expect(after.look ?? 0).toBeLessThan(3)
  if (openRun === undefined) return expect(events).toEqual([])
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  expect(textOf(events)).toContain('All done.')
  for (const { id, name, started } of openCalls) {
    const result = of(events, 'tool_result').find(({ tool_call_id }) => tool_call_id === id)
    const isLost = started !== undefined && name !== 'look'
    expect(result?.outcome).toBe(isLost ? 'unknown_outcome' : 'ok')
    expect(after[name] ?? 0).toBe((before[name] ?? 0) + (isLost ? 0 : 1))
  }
}

/** Goes on with what was left, and says yes to what is asked. */
async function resumeAndApprove(
  engine: Pick<TestEngine, 'executor' | 'session_id' | 'hub'>,
  approval: Approval | undefined,
) {
  const { executor, session_id, hub } = engine
  const approvals = { kind: 'inbox' } as const
  const run = follow(executor.resume(session_id, { principal: person, approvals }))
  const asked = await Promise.race([run.until('hitl_request'), run.ended.then(() => undefined)])
  if (asked) {
    const again = await hub.approvals.get(person, asked[0]!.approval_id)
    if (approval) {
      const { approval_id, expires_at } = approval
      expect(again).toMatchObject({ approval_id, expires_at, asked: 1 })
    }
    await hub.approvals.decide(person, again.approval_id, yes)
  }
  return run.ended
}

/** True where it was killed; false where it came to its end before. */
async function runUntilKilled(killed: KilledRun): Promise<boolean> {
  const child = fork(program, [JSON.stringify(killed)], {
    execArgv: ['--conditions=dataagent-source'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  child.on('message', async (said) => {
    // Nothing more happens by itself, or the moment is up to chance.
    const isRandom = killed.at === undefined && said === 'begins'
    if (!isRandom && said !== 'hitl_request') return
    await passed(isRandom ? Math.random() * 150 : 300)
    child.kill('SIGKILL')
  })
  const [, signal] = await exited
  return signal === 'SIGKILL'
}

async function pendingOf({ hub }: TestEngine, session_id: string) {
  const asked = await hub.approvals.list(person, { status: 'pending', limit: 100, offset: 0 })
  return asked.find((approval) => approval.session_id === session_id)
}

async function effectsOf({ effects }: KillScene, session_id: string): Promise<Counts> {
  const text = await readFile(join(effects, session_id), 'utf8').catch(() => '')
  const counts: Counts = {}
  for (const name of text.split('\n').filter(Boolean)) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

interface Place {
  scene: KillScene
  engine: TestEngine
}

/** SQLite and MariaDB, and a process that outlives those that are killed. */
async function openPlaces() {
  const cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const urls = [`sqlite:${join(path, 'test.db')}`]
  if (hasMariadb) urls.push(cleanup.use(await createDatabase('mysql')).url)
  const key = randomBytes(32).toString('hex')
  const all: Place[] = []
  for (const [i, url] of urls.entries()) {
    const dir = join(path, String(i))
    const effects = join(dir, 'effects')
    await mkdir(effects, { recursive: true })
    const scene = { url, dir, key, effects }
    all.push({ scene, engine: cleanup.use(await startEngine(toKillEngine(scene))) })
  }
  return { all, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}
