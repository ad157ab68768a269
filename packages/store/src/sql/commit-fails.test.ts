import { Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeSql } from './describe-sql.ts'
import { createEngine } from './open-sql.ts'
import { storedSession, textEntry } from './test-builders.ts'

/** Statements after which a commit fails that has stored an event with the word doomed. */
const failing = {
  sqlite: [
    'create table nobody (id integer primary key)',
    `create table doom (id integer primary key,
      nobody_id integer references nobody (id) deferrable initially deferred)`,
    `create trigger doom_commit after insert on events when new.json like '%doomed%'
      begin insert into doom (nobody_id) values (1); end`,
  ],
  postgres: [
    `create function doom_commit() returns trigger language plpgsql as $$
      begin
        if new.json like '%doomed%' then
          raise exception 'could not write' using errcode = '58030';
        end if;
        return null;
      end $$`,
    `create constraint trigger doom_commit after insert on events
      deferrable initially deferred for each row execute function doom_commit()`,
  ],
  mysql: [],
}

await describeSql(
  'a commit that fails',
  (subject) => {
    test('is told to all whose events were in it, and only what was acknowledged is there [F21]', async () => {
      const { kind, url, store } = subject()
      await runAll(url, failing[kind])
      const session_id = await storedSession(store)
      const acknowledged: string[] = []
      const append = async (content: string) => {
        await store.events.append(session_id, [textEntry(content)])
        acknowledged.push(textEntry(content).json)
      }
      for (let round = 0; round < 20; round += 1) {
        const appends = Array.from({ length: 8 }, (_, n) =>
          append(n === round % 8 ? `doomed ${round}` : `good ${round} ${n}`),
        )
        const outcomes = await Promise.allSettled(appends)
        expect(outcomes[round % 8]).toMatchObject({ reason: { code: expect.any(String) } })
        await append(`after ${round}`)
      }
      expect(acknowledged.join()).not.toContain('doomed')
      const rows = await store.events.read(session_id, { after: 0, limit: 1_000 })
      expect(rows.map(({ json }) => json)).toEqual(acknowledged)
      expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1))
    })
  },
  ['sqlite', 'postgres'],
)

async function runAll(url: string, statements: readonly string[]): Promise<void> {
  const { dialect } = createEngine({ url })
  const db = new Kysely<unknown>({ dialect })
  for (const statement of statements) await sql.raw(statement).execute(db)
  await db.destroy()
}
