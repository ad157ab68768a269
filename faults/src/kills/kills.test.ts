import { setTimeout as delay } from 'node:timers/promises'
import { chosenCount, findService, longCount, waitFor } from '@dataagent/testkit'
import { describe, test } from 'vitest'
import { keepLongRun } from '../figures/results.ts'
import { examine, hasOutcome, noFindings } from './findings.ts'
import { callByMcp, type Item, say, type Wish } from './item.ts'
import { type Database, openScene, type Scene } from './scene.ts'

/**
 * On each database, SQLite alone in the short run. What was cut off is gone on with after seconds
 * of rest: they come in bursts.
 */
const kills = chosenCount('TEST_KILLS', 2, 340)
const burst = Math.min(5, kills)
const bursts = Math.ceil(kills / burst)

const databases: Database[] = ['sqlite']
for (const kind of longCount(0, 1) === 1 ? (['mysql', 'postgres'] as const) : []) {
  if (await findService(kind)) databases.push(kind)
}
const wishes: Wish[] = ['approve', 'reject', 'wait']

describe.concurrent.each(databases)('a server on %s', (database) => {
  test(`${bursts * burst} kill -9 with tools running, approvals pending and calls by MCP clients lose and double nothing [F17, F18, F19]`, {
    timeout: 120_000 + bursts * 60_000,
  }, async ({ expect }) => {
    await using scene = await openScene(database)
    const findings = noFindings()
    const done: Item[] = []
    const ends: ChildrenEnd[] = []
    for (let round = 0; round < bursts; round += 1) {
      const name = `${database}-${round}`
      const items = begin(scene, name)
      for (let killed = 0; killed < burst; killed += 1) {
        items.push(...callsByMcp(scene, `${name}-${killed}`))
        await delay(Math.random() * 700)
        ends.push(await killAndStart(scene))
      }
      const inPeace = callsByMcp(scene, `${name}-peace`)
      items.push(...inPeace)
      await settle(items)
      for (const item of items) await examine(scene, item, findings)
      for (const { answer } of inPeace) {
        if (answer?.status !== 'shed') expect(answer).toEqual({ status: 'whole' })
      }
      done.push(...items)
    }
    const count = (isOne: (item: Item) => boolean) => done.filter(isOne).length
    const told = {
      ...{ database, kills: ends.length, effects: scene.ledger.effects.size },
      decisions: count(({ decided }) => decided !== undefined),
      unknownOutcomes: count((item) => hasOutcome(item, 'unknown_outcome')),
      gatewayCalls: {
        answered: count(({ answer }) => answer?.status === 'whole'),
        unanswered: count(({ answer }) => answer?.status === 'cut'),
        shed: count(({ answer }) => answer?.status === 'shed'),
      },
      children: {
        atKills: ends.reduce((sum, { before }) => sum + before, 0),
        orphans: ends.reduce((sum, { left }) => sum + left, 0),
        goneAfterMs: Math.max(...ends.map(({ goneAfterMs }) => goneAfterMs)),
      },
    }
    const lost = Object.entries(findings).map(([what, found]) => [what, found.length])
    const figures = { ...told, ...Object.fromEntries(lost) }
    console.info(JSON.stringify(figures))
    await keepLongRun(`kills-${database}`, figures)

    expect({ ...findings, orphans: told.children.orphans }).toEqual({ ...noFindings(), orphans: 0 })
    expect(told.children.atKills).toBeGreaterThan(0)
    expect(told.effects).toBeGreaterThan(0)
    expect(told.decisions).toBeGreaterThan(0)
    // Of many kills some fall between an effect and its record, or its answer.
    const least = ends.length < 100 ? 0 : 1
    expect(told.unknownOutcomes).toBeGreaterThanOrEqual(least)
    expect(told.gatewayCalls.unanswered).toBeGreaterThanOrEqual(least)
  })
})

function begin(scene: Scene, name: string): Item[] {
  const [, ...users] = scene.people
  return [
    ...wishes.map((wish, at) =>
      say(scene, users[at]!, { id: `${name}-${wish}`, kind: 'careful', wish }),
    ),
    say(scene, users[3]!, { id: `${name}-record`, kind: 'record' }),
    say(scene, users[4]!, { id: `${name}-again`, kind: 'record' }),
    say(scene, users[5]!, { id: `${name}-local`, kind: 'local' }),
  ]
}

function callsByMcp(scene: Scene, name: string): Item[] {
  return ['a', 'b', 'c'].map((letter) => callByMcp(scene, scene.people[0]!, `${name}-${letter}`))
}

interface ChildrenEnd {
  /** Processes of stdio servers at the kill, and those that it has left behind. */
  before: number
  left: number
  goneAfterMs: number
}

async function killAndStart({ server, children, whenReady }: Scene): Promise<ChildrenEnd> {
  const { length: before } = await children()
  const killed = performance.now()
  await server.kill()
  const isGone = async () => (await children()).length === 0
  const left = await waitFor(isGone, { timeoutMs: 25_000 }).then(
    () => 0,
    async () => (await children()).length,
  )
  const goneAfterMs = Math.round(performance.now() - killed)
  await server.start()
  await whenReady()
  return { before, left, goneAfterMs }
}

/** Those that wait for a person who never comes are cancelled, once all others have ended. */
async function settle(items: readonly Item[]): Promise<void> {
  const waiting = items.filter(({ wish }) => wish === 'wait')
  await Promise.all(items.filter(({ wish }) => wish !== 'wait').map(({ settled }) => settled))
  for (const item of waiting) item.cancel()
  await Promise.all(waiting.map(({ settled }) => settled))
}
