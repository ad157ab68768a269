import { setTimeout as delay } from 'node:timers/promises'
import { chosenCount, findService, longCount, waitFor } from '@dataagent/testkit'
import { describe, test } from 'vitest'
import { examine, hasOutcome, noFindings } from './findings.ts'
import { callByMcp, type Item, say, type Wish } from './item.ts'
import { type Database, openScene, type Scene } from './scene.ts'

/**
 * On each database, SQLite alone in the short run. What was cut off is gone on with after seconds
 * of rest: they come in bursts.
 */
const kills = chosenCount(2, 340)
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
    let orphans = 0
    let unknown = 0
    let decided = 0
    for (let round = 0; round < bursts; round += 1) {
      const items = begin(scene, `${database}-${round}`)
      for (let killed = 0; killed < burst; killed += 1) {
        items.push(...callsByMcp(scene, `${database}-${round}-${killed}`))
        await delay(Math.random() * 700)
        orphans += await killAndStart(scene)
      }
      await settle(items)
      for (const item of items) await examine(scene, item, findings)
      unknown += items.filter((item) => hasOutcome(item, 'unknown_outcome')).length
      decided += items.filter((item) => item.decided !== undefined).length
    }
    console.info(
      `${database}: ${bursts * burst} kills, ${scene.ledger.effects.size} effects, ${decided} decisions, ${unknown} unknown outcomes`,
    )
    expect({ ...findings, orphans }).toEqual({ ...noFindings(), orphans: 0 })
    expect(scene.ledger.effects.size).toBeGreaterThan(0)
    expect(decided).toBeGreaterThan(0)
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

/** How many processes the dead server has left behind. */
async function killAndStart({ server, children, whenReady }: Scene): Promise<number> {
  await server.kill()
  const gone = async () => (await children()).length === 0
  const left = await waitFor(gone, { timeoutMs: 25_000 }).then(
    () => 0,
    async () => (await children()).length,
  )
  await server.start()
  await whenReady()
  return left
}

/** Those that wait for a person who never comes are cancelled, once all others have ended. */
async function settle(items: readonly Item[]): Promise<void> {
  const waiting = items.filter(({ wish }) => wish === 'wait')
  await Promise.all(items.filter(({ wish }) => wish !== 'wait').map(({ settled }) => settled))
  for (const item of waiting) item.cancel()
  await Promise.all(waiting.map(({ settled }) => settled))
}
