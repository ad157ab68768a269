import type { Approval } from '@dataagent/schema'
import { expect, test } from 'vitest'
import type { RunEvent } from '../engine/index.ts'
import { runPoints } from '../engine/index.ts'
import {
  type Conversation,
  loadConversation,
  of,
  person,
  type TestEngine,
  textOf,
} from '../engine/test-engine.ts'
import { follow } from './test-follow.ts'
import type { KilledRun, KillPoint } from './test-kill-scene.ts'
import {
  type Counts,
  effectsOf,
  killIn,
  openPlaces,
  type Place,
  pendingOf,
} from './test-killing.ts'
import { yes } from './test-words.ts'

const points: readonly KillPoint[] = [...runPoints, 'before_effect', 'after_effect']
/** Three tools: a point may be reached three times. */
const times = [1, 2, 3]
const atOnce = 3

/** Processes that die anywhere in a run, whoever works on it. */
export function describeKill({ kills, maker }: { kills: number; maker?: URL }): void {
  test(
    `a process that dies at any point of a run does nothing twice and loses no approval, ${kills} times [D3.4] [D11.3] [F17, F18]`,
    async () => {
      await using places = await openPlaces(maker)
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
}

type Tally = Record<'killed' | 'unknown' | 'kept', number>

async function killOne(place: Place, i: number, tally: Tally): Promise<void> {
  const { scene, engine } = place
  // Every fourth session sees a second process die, which goes on with what the first one left.
  const deaths = i % 4 === 3 ? [toDeath(i), toDeath(i + 2)] : [toDeath(i)]
  const { session_id, killed } = await killIn(place, ...deaths)
  tally.killed += killed
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

/** Each point in turn; from the second round on every fifth at some moment, others each time. */
function toDeath(i: number): Pick<KilledRun, 'at' | 'afterMs' | 'approves'> {
  const point = points[i % points.length]!
  const round = Math.floor(i / points.length)
  const time = times[round % times.length]!
  const isTimed = round > 0 && (i + round) % 5 === 4
  return {
    at: isTimed ? undefined : { point, time: point === 'run_ended' ? 1 : time },
    afterMs: (i * 37) % 150,
    approves: point === 'run_ended' || i % 3 === 1 ? 'everything' : 'inbox',
  }
}

type Left = Pick<Conversation, 'openRun' | 'openCalls'>

function expectOnce(
  { openRun, openCalls }: Left,
  { before, after }: { before: Counts; after: Counts },
  events: readonly RunEvent[],
): void {
  expect(after.append ?? 0).toBeLessThan(2)
  expect(after.send ?? 0).toBeLessThan(2)
  expect(after.look ?? 0).toBeLessThan(4)
  if (openRun === undefined) {
    expect(events).toEqual([])
    return
  }
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
