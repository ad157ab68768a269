import { randomBytes } from 'node:crypto'
import { createDatabase, findService } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { describeSql } from './describe-sql.ts'
import { openSql } from './open-sql.ts'
import { isDeadlock, toStoreError } from './store-error.ts'
import { aTenant, storedSession, textEntry } from './test-builders.ts'

await describeSql('errors', (subject) => {
  test('of a store that is closed say so, for reads and writes alike', async () => {
    const { store, open } = subject()
    const session_id = await storedSession(store)
    const closed = open()
    await closed.sessions.get('default', session_id)
    await closed.close()
    await closed.close()
    const attempts = [
      closed.sessions.get('default', session_id),
      closed.settings.change('a', 'b'),
      closed.events.append(session_id, [textEntry('late')]),
      closed.migrate(),
    ]
    for (const outcome of await Promise.allSettled(attempts)) {
      expect(outcome).toMatchObject({ reason: { code: 'store_unavailable' } })
    }
  })

  test('carry nothing of the values that were to be stored', async () => {
    const { tenants } = subject().store
    const tenant = aTenant({ tenant_id: 'canary-id', features_enabled: ['canary-feature'] })
    await tenants.create(tenant)
    const error = await tenants.create(tenant).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ code: 'conflict' })
    const { cause, data, message } = error as Error & { data: unknown }
    const own = Object.getOwnPropertyNames(cause).map((key) => (cause as never)[key])
    expect(JSON.stringify([message, data, own])).not.toContain('canary')
  })
})

/** Statements that make a user who may look at the database, and those that end it. */
const lookingOnly = {
  mysql: (user: string, database: string) => ({
    make: [
      `CREATE USER ${user} IDENTIFIED BY '${user}'`,
      `GRANT SELECT ON ${database}.* TO ${user}`,
    ],
    end: `DROP USER ${user}`,
  }),
  postgres: (user: string) => ({
    make: [
      `CREATE ROLE ${user} LOGIN PASSWORD '${user}'`,
      'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
    ],
    end: `DROP ROLE ${user}`,
  }),
}

describe.each(['mysql', 'postgres'] as const)('a %s database', async (kind) => {
  const isMissing = !(await findService(kind))
  test.skipIf(isMissing)(
    'that lets its user make no tables says which right is missing',
    async () => {
      await using cleanup = new AsyncDisposableStack()
      const { url, query } = cleanup.use(await createDatabase(kind))
      const user = `looking_${randomBytes(4).toString('hex')}`
      const { make, end } = lookingOnly[kind](user, new URL(url).pathname.slice(1))
      cleanup.defer(async () => void (await query(end)))
      for (const statement of make) await query(statement)
      const store = cleanup.use(openSql({ url: toUrlOf(user, url) }))
      await expect(store.migrate()).rejects.toMatchObject({
        code: 'store_unavailable',
        message: expect.stringMatching(/(CREATE command|permission) denied.*: GRANT/),
        data: { fault: 'denied' },
      })
    },
  )
})

function toUrlOf(user: string, url: string): string {
  return Object.assign(new URL(url), { username: user, password: user }).href
}

describe('what a driver throws', () => {
  test.each([
    ['mysql', { errno: 1290 }, 'store_unavailable'],
    ['mysql', { errno: 1836 }, 'store_unavailable'],
    ['mysql', { code: 'ECONNREFUSED' }, 'store_unavailable'],
    ['mysql', { errno: 1153 }, 'too_large'],
    ['mysql', { errno: 1146 }, 'internal'],
    ['postgres', { code: '25006' }, 'store_unavailable'],
    ['postgres', { code: '57P01' }, 'store_unavailable'],
    ['postgres', { code: '08P01' }, 'internal'],
    ['postgres', { code: '53100' }, 'storage_full'],
    ['postgres', { code: '42P01' }, 'internal'],
    ['mysql', { errno: 1044 }, 'store_unavailable'],
    ['mysql', { errno: 1142 }, 'store_unavailable'],
    ['postgres', { code: '42501' }, 'store_unavailable'],
    ['sqlite', { errcode: 13 }, 'storage_full'],
    ['sqlite', { errcode: 5 }, 'store_unavailable'],
    ['sqlite', { errcode: 1 }, 'internal'],
  ] as const)('%s %j is %s', (kind, thrown, code) => {
    expect(toStoreError(kind, thrown)).toMatchObject({ code })
  })

  test.each([
    [
      'mysql',
      {
        code: 'ER_TABLEACCESS_DENIED_ERROR',
        message: "CREATE command denied to user 'canary'@'h'",
      },
      /ER_TABLEACCESS_DENIED_ERROR: CREATE command denied.*GRANT ALL ON/,
    ],
    [
      'postgres',
      { code: '42501', message: 'permission denied for schema public' },
      /42501: permission denied for schema public.*GRANT CREATE, USAGE ON SCHEMA public/,
    ],
  ] as const)('%s that denies a right names it, and how to give it', (kind, thrown, expected) => {
    const { message } = toStoreError(kind, { errno: 1142, ...thrown })
    expect(message).toMatch(expected)
    expect(message).not.toContain('canary')
  })

  test.each([
    ['mysql', { errno: 1213 }, true],
    ['postgres', { code: '40P01' }, true],
    ['sqlite', { errcode: 5 }, false],
  ] as const)('%s %j is worth another try at once: %s', (kind, thrown, expected) => {
    expect(isDeadlock(toStoreError(kind, thrown))).toBe(expected)
  })
})
