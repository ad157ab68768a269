import { join } from 'node:path'
import { isAppError } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import {
  createTestSource,
  findKinds,
  openTestEngine,
  readAll,
  type TestSource,
} from './test-sources.ts'
import { openUngated } from './test-ungated.ts'
import { attempts } from './test-write-attempts.ts'

const kinds = await findKinds()

test('the attempts are many, and no two of a dialect are the same', () => {
  const counts = Object.values(attempts).map((list) => new Set(list.map(({ sql }) => sql)).size)
  expect(counts).toEqual(Object.values(attempts).map((list) => list.length))
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(400)
  expect(Math.min(...counts)).toBeGreaterThan(80)
})

describe.each(kinds)('%s', (kind) => {
  test('no attempt writes, with a role that may, and each is told why', {
    timeout: 300_000,
  }, async () => {
    await using source = await createTestSource(kind)
    await using engine = openTestEngine(source)
    const before = await source.state()
    const ran: string[] = []
    const changed: string[] = []
    for (const { sql } of attempts[source.dialect]) {
      const outcome = await attempt(engine, place(sql, source))
      if (outcome !== 'refused') ran.push(`${outcome}: ${sql}`)
      if (!isSame(before, await source.state())) changed.push(sql)
    }
    expect({ ran, changed }).toEqual({ ran: [], changed: [] })
    expect(await readAll(engine, 'SELECT count(*) FROM sales')).toEqual([[3]])
  })
})

describe.each(kinds)('%s behind the gate', (kind) => {
  const long = { timeout: 600_000 }
  test('no attempt writes either, but for what only the role can refuse', long, async () => {
    await using source = await createTestSource(kind)
    await using ungated = openUngated(source)
    let before = await source.state()
    const changed: string[] = []
    for (const { sql, onlyGate } of attempts[source.dialect]) {
      if (onlyGate) continue
      await ungated.run(place(sql, source)).catch(() => {})
      const after = await source.state()
      if (!isSame(before, after)) changed.push(sql)
      before = after
    }
    expect(changed).toEqual([])
  })
})

/** Told in words that can be acted on: not as a fault of ours, nor as one that may pass. */
async function attempt(engine: ReturnType<typeof openTestEngine>, sql: string): Promise<string> {
  try {
    await readAll(engine, sql, { timeoutMs: 10_000 })
    return 'ran'
  } catch (error) {
    const told = ['forbidden', 'invalid_request', 'not_found'] as const
    return told.some((code) => isAppError(error, code)) ? 'refused' : String(error)
  }
}

function place(sql: string, { folder }: TestSource): string {
  return sql.replaceAll('{out}', join(folder, 'written'))
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
