import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  canStartService,
  longCount,
  type PrivateServer,
  startMariadb,
  temporaryDirectory,
  waitFor,
} from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { openSql, type SqlStore } from './open-sql.ts'
import { storedSession } from './test-builders.ts'

const kills = longCount(10, 500)
const msPerKill = 5_000
const program = fileURLToPath(new URL('./test-appending-process.ts', import.meta.url))

test(
  `SQLite: ${kills} kill -9 of the appending process lose no acknowledged event`,
  async () => {
    await using directory = await temporaryDirectory()
    const path = join(directory.path, 'dataagent.db')
    await using store = openSql({ url: `sqlite:${path}` })
    await store.migrate()
    const session_id = await storedSession(store)
    let acknowledged = 0
    for (let kill = 1; kill <= kills; kill += 1) {
      const appender = startAppending(`sqlite:${path}`, session_id, `${kill}`)
      await appender.running()
      await sleep(randomInt(60))
      const acks = await appender.kill()
      await expectStored(store, session_id, acks)
      acknowledged += acks.size
    }
    const db = new DatabaseSync(path, { readOnly: true })
    expect(db.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
    db.close()
    expect(acknowledged).toBeGreaterThan(kills)
    console.info(`SQLite: ${kills} kills, ${acknowledged} acknowledged events, 0 lost`)
  },
  kills * msPerKill,
)

test.skipIf(!(await canStartService('mysql')))(
  `MariaDB: ${kills} kill -9 of the server lose no acknowledged event, and the store recovers [F14]`,
  async () => {
    await using server = await startMariadb()
    await using store = openSql({ url: server.url })
    await store.migrate()
    const session_id = await storedSession(store)
    let acknowledged = 0
    for (let kill = 1; kill <= kills; kill += 1) {
      const acks = await appendUntilKilled(store, server, { session_id, prefix: `${kill}` })
      await server.start()
      await waitFor(() => expectStored(store, session_id, acks).then(() => true))
      acknowledged += acks.size
    }
    expect(store.connections()).toBeLessThanOrEqual(10)
    expect(acknowledged).toBeGreaterThan(kills)
    console.info(`MariaDB: ${kills} kills, ${acknowledged} acknowledged events, 0 lost`)
  },
  kills * msPerKill * 2,
)

/** Every acknowledged append is there, at its seq, with its text, and the log has no hole. */
async function expectStored(store: SqlStore, session_id: string, acks: Map<number, string>) {
  if (acks.size === 0) return
  const seqs = [...acks.keys()]
  const [from, to] = [Math.min(...seqs), Math.max(...seqs)]
  const rows = await store.events.read(session_id, { after: from - 1, limit: to - from + 1 })
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => from + index))
  for (const [seq, json] of acks) expect(rows[seq - from]?.json).toBe(json)
}

function startAppending(url: string, session_id: string, prefix: string) {
  const args = ['--conditions=dataagent-source', program, url, session_id, prefix]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const acks = new Map<number, string>()
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => {
    const [, seq, json] = /^(\d+) (\{.*\})$/.exec(line) ?? []
    if (seq && json) acks.set(Number(seq), json)
  })
  return {
    running: () => waitFor(() => acks.size > 0, { timeoutMs: 20_000 }),
    async kill() {
      const closed = once(lines, 'close')
      child.kill('SIGKILL')
      await closed
      return acks
    },
  }
}

/**
 * Appends from eight hands until the server, killed at a random moment, answers each of them with a
 * typed error.
 */
async function appendUntilKilled(
  store: SqlStore,
  server: PrivateServer,
  { session_id, prefix }: { session_id: string; prefix: string },
) {
  const acks = new Map<number, string>()
  const append = async (hand: number) => {
    for (let n = 0; ; n += 1) {
      const json = JSON.stringify({ event_type: 'text', content: `${prefix}-${hand}-${n}` })
      const { first } = await store.events.append(session_id, [{ kind: 'text', json }])
      acks.set(first, json)
    }
  }
  const hands = Promise.allSettled(Array.from({ length: 8 }, (_, hand) => append(hand)))
  await waitFor(() => acks.size > 0, { timeoutMs: 20_000 })
  await sleep(randomInt(60))
  await server.kill('SIGKILL')
  for (const outcome of await hands) {
    expect(outcome).toMatchObject({ reason: { code: 'store_unavailable' } })
  }
  return acks
}
