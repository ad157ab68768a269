import { randomUUID } from 'node:crypto'
import type { HubStore, ServerRow } from '@dataagent/hub'
import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'

const dayMs = 86_400_000

await describeSql('session rows', (subject) => {
  const hub = () => subject().store.hub

  test('a session has the revision of its beginning, however often it is opened', async () => {
    const { tenant_id, server, open } = await setUp(hub())
    const revision = await hub().servers.insert(server)
    expect(await open('s1')).toEqual({ snapshot: revision, isNew: true })
    await hub().servers.insert({ ...server, server_id: 'b', name: 'b' })
    expect(await open('s1')).toEqual({ snapshot: revision, isNew: false })
    expect((await open('s2')).snapshot).toBeGreaterThan(revision)
    const others = { tenant_id, user_id: 'bo', session_id: 's1' }
    await expect(hub().sessions.open(others, 1)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('what a session sees is kept with its tools when it is changed, once', async () => {
    const { tenant_id, server, open } = await setUp(hub())
    const revision = await hub().servers.insert(server)
    await putTool(hub(), server)
    await open('s1')
    const left = await hub().servers.update(changed(server, revision), undefined, 'a#1')
    expect(left).toEqual({ revision: expect.any(Number), isKept: true })
    const [edition] = await hub().servers.listEditions(tenant_id)
    const { config, secrets } = server
    const kept = { server_id: 'a#1', origin: 'a', config, secrets, revision }
    expect(edition).toMatchObject({ ...kept, superseded_by: left.revision })
    const tools = await hub().tools.list(tenant_id, 'a#1')
    expect(tools).toMatchObject([{ name: 'echo', hash: 'h', server_id: 'a#1' }])
    expect(await hub().tools.listHashes(tenant_id, 'a#1')).toHaveLength(1)
    const next = changed(server, left.revision)
    const nobodys = await hub().servers.update(next, undefined, 'a#2')
    expect(nobodys.isKept).toBe(false)
    expect(await hub().servers.listEditions(tenant_id)).toHaveLength(1)
  })

  test('an edition goes with the last session that sees it', async () => {
    const { tenant_id, server, open } = await setUp(hub())
    const revision = await hub().servers.insert(server)
    await putTool(hub(), server)
    await open('s1')
    await open('s2')
    await hub().servers.delete({ ...server, revision }, undefined, 'a#1')
    await open('s3')
    expect(await hub().sessions.close({ tenant_id, session_id: 's1' })).toBe(false)
    expect(await hub().servers.listEditions(tenant_id)).toHaveLength(1)
    expect(await hub().sessions.close({ tenant_id, session_id: 's2' })).toBe(true)
    expect(await hub().servers.listEditions(tenant_id)).toEqual([])
    expect(await hub().tools.list(tenant_id, 'a#1')).toEqual([])
    expect(await hub().tools.listHashes(tenant_id, 'a')).toHaveLength(1)
  })

  test('without an id to keep it under, a server goes with all its editions', async () => {
    const { tenant_id, server, open } = await setUp(hub())
    const revision = await hub().servers.insert(server)
    await open('s1')
    const left = await hub().servers.update(changed(server, revision), undefined, 'a#1')
    await hub().servers.update(changed(server, left.revision))
    expect(await hub().servers.listEditions(tenant_id)).toEqual([])
  })

  test('sign-ins stay as long as an edition of the server', async () => {
    const { tenant_id, server, open } = await setUp(hub())
    const revision = await hub().servers.insert(server)
    const ref = { tenant_id, server_id: 'a', user_id: 'ana', record_id: 'r' }
    await hub().signIns.put({ ...ref, value: 'sealed', updated_at: 1 })
    await open('s1')
    await hub().servers.delete({ ...server, revision }, undefined, 'a#1')
    expect(await hub().signIns.get(ref)).toBeDefined()
    await hub().sessions.close({ tenant_id, session_id: 's1' })
    expect(await hub().signIns.get(ref)).toBeUndefined()
  })

  test('sessions that nobody opens any more are swept, with what they held', async () => {
    const { tenant_id, server, open } = await setUp(hub())
    const revision = await hub().servers.insert(server)
    await open('old', dayMs)
    await open('used', dayMs)
    await hub().servers.update(changed(server, revision), undefined, 'a#1')
    await open('used', 9 * dayMs)
    expect(await hub().sessions.sweep(8 * dayMs)).not.toContain(tenant_id)
    expect((await open('old', 9 * dayMs)).isNew).toBe(true)
    expect((await open('used', 9 * dayMs)).isNew).toBe(false)
    expect(await hub().sessions.sweep(10 * dayMs)).toContain(tenant_id)
    expect(await hub().servers.listEditions(tenant_id)).toEqual([])
  })

  test('of sessions that begin while a server changes, each sees one edition of it', async () => {
    const { tenant_id, server, open } = await setUp(hub())
    let { revision } = { revision: await hub().servers.insert(server) }
    const opened: Promise<{ snapshot: number }>[] = []
    for (let n = 0; n < 10; n += 1) {
      opened.push(...[0, 1, 2].map((k) => open(`s${n}.${k}`)))
      const next = changed(server, revision)
      revision = (await hub().servers.update(next, undefined, `a#${revision}`)).revision
    }
    const editions = await hub().servers.listEditions(tenant_id)
    const spans = editions.map((one) => [one.revision, one.superseded_by] as const)
    spans.push([revision, Number.POSITIVE_INFINITY])
    for (const { snapshot } of await Promise.all(opened)) {
      expect(spans.filter(([from, to]) => from <= snapshot && snapshot < to)).toHaveLength(1)
    }
  })
})

async function setUp(hub: HubStore) {
  const tenant_id = randomUUID()
  const server: Omit<ServerRow, 'revision'> = {
    ...{ tenant_id, server_id: 'a', owner: 'ana', name: 'a', config: '{}', secrets: 'sealed' },
    ...{ created_at: 1, updated_at: 1, created_by: 'ana' },
  }
  const open = (session_id: string, now = 1) =>
    hub.sessions.open({ tenant_id, user_id: 'ana', session_id }, now)
  return { tenant_id, server, open }
}

function changed(server: Omit<ServerRow, 'revision'>, revision: number) {
  return { ...server, config: '{"changed":true}', revision }
}

async function putTool(
  hub: HubStore,
  { tenant_id, server_id }: { tenant_id: string; server_id: string },
) {
  const known = { tenant_id, server_id, name: 'echo', version: 1, hash: 'h', definition: '{}' }
  const shown = { ...known, findings: '[]', seen_at: 1 }
  const row = {
    ...shown,
    state: 'active',
    pending_version: null,
    position: 0,
    created_at: 1,
  } as const
  await hub.tools.put(
    [{ row, before: undefined }],
    [{ ...shown, approved_at: 1, approved_by: null }],
  )
}
