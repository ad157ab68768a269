import { setImmediate as nextLoop } from 'node:timers/promises'
import type { RevisionRow, RevisionRows } from '@dataagent/hub'
import { longCount } from '@dataagent/testkit'
import { Kysely } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import { createEngine } from '../open-sql.ts'
import type { Database } from '../tables.ts'
import { createPolicyRows } from './policy-rows.ts'
import { createRevisionRows } from './revision-rows.ts'

await describeSql('revision rows', (subject) => {
  const cleanup = new AsyncDisposableStack()
  afterAll(() => cleanup.disposeAsync())

  function openRows() {
    const engine = createEngine({ url: subject().url })
    const db = new Kysely<Database>({ dialect: engine.dialect })
    cleanup.defer(() => engine.close())
    return {
      revisions: createRevisionRows({ db, engine }),
      policy: createPolicyRows({ db, engine }),
    }
  }

  test('a change is given to those who ask from below it, lowest first, the count itself never', async () => {
    const { revisions } = openRows()
    expect(await revisions.changedSince(0)).toEqual([])
    const first = await revisions.bump('t1', 'servers')
    const second = await revisions.bump('t2', 'tools')
    const third = await revisions.bump('t1', 'servers')
    expect([first, second, third]).toEqual([1, 2, 3])
    const [tools, servers] = [
      { tenant_id: 't2', topic: 'tools', revision: 2 },
      { tenant_id: 't1', topic: 'servers', revision: 3 },
    ]
    expect(await revisions.changedSince(0)).toEqual([tools, servers])
    expect(await revisions.changedSince(2)).toEqual([servers])
    expect(await revisions.changedSince(3)).toEqual([])
  })

  test('two stores that write at once: revisions rise in the order of commits, and a reader misses none', {
    timeout: longCount(30_000, 600_000),
  }, async () => {
    const [one, two, reader] = [openRows(), openRows(), openRows()]
    const writers = Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? one : two))
    const each = longCount(25, 1_000)
    let writing = true
    const seen = readAll(reader.revisions, () => writing)
    const taken = await Promise.all(writers.map((rows, writer) => write(rows, { writer, each })))
    writing = false
    const revisions = taken.flat()
    expect(new Set(revisions).size).toBe(writers.length * each)
    for (const own of taken) expect(own).toEqual(own.toSorted((a, b) => a - b))
    // Every topic is written once, so that no later change of it could hide one that was missed.
    const last = revisions.toSorted((a, b) => a - b)
    expect((await seen).filter(isOfWriter).map(({ revision }) => revision)).toEqual(last)
  })
})

/** Bumps and policy changes, each of a tenant of its own. */
async function write(
  { revisions, policy }: { revisions: RevisionRows; policy: ReturnType<typeof createPolicyRows> },
  { writer, each }: { writer: number; each: number },
): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < each; n++) {
    const tenant_id = `w${writer}-${n}`
    const list = { tenant_id, subject: { kind: 'agent', id: 'a' } as const, entries: [] }
    const put = () => policy.putAllowList({ ...list, updated_at: 1, updated_by: null })
    taken.push(n % 2 === 0 ? await put() : await revisions.bump(tenant_id, 'tools'))
  }
  return taken
}

const isOfWriter = ({ tenant_id }: RevisionRow) => tenant_id.startsWith('w')

/** What one gets who asks again and again from the highest that it has seen. */
async function readAll(rows: RevisionRows, isWriting: () => boolean): Promise<RevisionRow[]> {
  const seen: RevisionRow[] = []
  for (let last = false; !last; ) {
    // An answer of SQLite comes without a turn of the event loop: writers need theirs.
    await nextLoop()
    last = !isWriting()
    seen.push(...(await rows.changedSince(seen.at(-1)?.revision ?? 0)))
  }
  return seen
}
