import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { longCount } from '@dataagent/testkit'
import { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { describeSql } from './describe-sql.ts'
import { createEngine } from './open-sql.ts'
import { storedSession, textEntry } from './test-builders.ts'

const program = fileURLToPath(new URL('./test-migrating-process.ts', import.meta.url))
/** From one statement that is the last to the next. */
const step = longCount(75, 4)

await describeSql('migrations', (subject) => {
  test(`killed with -9 after every ${step}th statement are completed by the next start [F33]`, {
    timeout: longCount(60_000, 1_800_000),
  }, async () => {
    const { empty, open, url: whole } = subject()
    const wanted = await tablesOf(whole)
    let kills = 0
    for (;;) {
      const url = await empty()
      const end = await migrateIn(url, step * (kills + 1))
      if (end === 0) break
      expect(end).toBe('SIGKILL')
      kills += 1
      const store = open({ url })
      await store.migrate()
      expect(await tablesOf(url)).toEqual(wanted)
      const session_id = await storedSession(store)
      expect(await store.events.append(session_id, [textEntry('x')])).toMatchObject({ first: 1 })
      await store.close()
    }
    expect(kills * step).toBeGreaterThan(70)
  })
})

/** How it ended: its exit code, or the signal. */
async function migrateIn(url: string, at: number): Promise<number | string> {
  const args = ['--conditions=dataagent-source', program, url, String(at)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code, signal] = await once(child, 'close')
  return signal ?? code
}

/** Every table with its columns, as the database itself tells. */
async function tablesOf(url: string): Promise<string[]> {
  const { dialect } = createEngine({ url })
  const db = new Kysely<unknown>({ dialect })
  try {
    const tables = await db.introspection.getTables()
    const lines = tables.map(
      ({ name, columns }) =>
        `${name}: ${columns.map((one) => `${one.name} ${one.dataType} ${one.isNullable}`)}`,
    )
    return lines.sort()
  } finally {
    await db.destroy()
  }
}
