import { describe, expect, test } from 'vitest'
import { describeSql } from './describe-sql.ts'
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
    ['sqlite', { errcode: 13 }, 'storage_full'],
    ['sqlite', { errcode: 5 }, 'store_unavailable'],
    ['sqlite', { errcode: 1 }, 'internal'],
  ] as const)('%s %j is %s', (kind, thrown, code) => {
    expect(toStoreError(kind, thrown)).toMatchObject({ code })
  })

  test.each([
    ['mysql', { errno: 1213 }, true],
    ['postgres', { code: '40P01' }, true],
    ['sqlite', { errcode: 5 }, false],
  ] as const)('%s %j is worth another try at once: %s', (kind, thrown, expected) => {
    expect(isDeadlock(toStoreError(kind, thrown))).toBe(expected)
  })
})
