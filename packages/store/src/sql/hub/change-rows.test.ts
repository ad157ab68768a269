import { randomUUID } from 'node:crypto'
import type { NewChange } from '@dataagent/hub'
import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'

await describeSql('change rows', (subject) => {
  const hub = () => subject().store.hub
  const changesOf = (tenant_id: string, query = {}) =>
    hub().changes.query({ tenant_id, limit: 100, offset: 0, ...query })

  test('a note is stored with its change, under the revision of the change', async () => {
    const tenant_id = randomUUID()
    const note = aNote({ tenant_id, after: '{"name":"商城 \\u0000"}' })
    const revision = await hub().servers.insert(aServer(tenant_id), {}, note)
    expect(await changesOf(tenant_id)).toEqual([{ ...note, revision }])
  })

  test('a change that does not take place leaves no note', async () => {
    const tenant_id = randomUUID()
    const server = aServer(tenant_id)
    await hub().servers.insert(server)
    const note = aNote({ tenant_id })
    await expect(hub().servers.insert(server, {}, note)).rejects.toMatchObject({ code: 'conflict' })
    const stale = { ...server, revision: -1 }
    await expect(hub().servers.update(stale, note)).rejects.toMatchObject({ code: 'conflict' })
    expect(await hub().servers.delete({ tenant_id, server_id: 'other' }, note)).toBe(undefined)
    const nobody = { tenant_id, server_id: 'mall', user_id: 'bo' }
    expect(await hub().servers.deleteCredential(nobody, note)).toBe(false)
    expect(await hub().policy.deleteRule(tenant_id, 'none', note)).toBe(undefined)
    const approval = { tenant_id, approval_id: 'none' }
    expect(await hub().approvals.assign(approval, { assignee: 'bo', now: 1 }, note)).toBe(false)
    expect(await changesOf(tenant_id)).toEqual([])
  })

  test('newest first, of one tenant, by kind, target, person and time, in pages', async () => {
    const tenant_id = randomUUID()
    for (const n of [1, 2, 3, 4]) {
      const user_id = n % 2 ? 'ana' : 'bo'
      const note = aNote({ tenant_id, changed_at: n, target: `s${n}`, user_id })
      await hub().servers.insert(aServer(tenant_id, `s${n}`), {}, note)
    }
    const targets = async (query: object, of = tenant_id) =>
      (await changesOf(of, query)).map(({ target }) => target)
    expect(await targets({})).toEqual(['s4', 's3', 's2', 's1'])
    expect(await targets({ user_id: 'ana' })).toEqual(['s3', 's1'])
    expect(await targets({ from: 2, to: 3 })).toEqual(['s3', 's2'])
    expect(await targets({ target: 's2', kind: 'server' })).toEqual(['s2'])
    expect(await targets({ kind: 'rule' })).toEqual([])
    expect(await targets({ limit: 1, offset: 1 })).toEqual(['s3'])
    expect(await targets({}, randomUUID())).toEqual([])
  })
})

function aServer(tenant_id: string, server_id = 'mall') {
  const times = { created_at: 1, updated_at: 1, created_by: 'ana' }
  return { tenant_id, server_id, owner: '', name: server_id, config: '{}', secrets: null, ...times }
}

function aNote(fields: Partial<NewChange> & { tenant_id: string }): NewChange {
  return {
    change_id: randomUUID(),
    changed_at: 5,
    by_tenant: fields.tenant_id,
    user_id: 'ana',
    role: 'admin',
    api_key: null,
    kind: 'server',
    target: 'mall',
    action: 'added',
    before: null,
    after: '{}',
    ...fields,
  }
}
