import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkspacesPage } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { startTestPlatform } from '../testing/test-platform.ts'

interface Refusal {
  error_code: string
}

test('administrators add, list, change and disable the users of their tenant, and each change is noted [D32.1]', async () => {
  await using server = await startTestPlatform()
  const json = { user_id: 'grace', name: 'Grace' }
  const added = await server.ask('POST', '/users', { as: 'boss', json })
  expect(added.status).toBe(201)
  expect(added.body).toMatchObject({ tenant_id: 'acme', role: 'user', disabled_at: null })
  const again = await server.ask<Refusal>('POST', '/users', { as: 'boss', json })
  expect([again.status, again.body.error_code]).toEqual([409, 'conflict'])

  const change = { name: 'Grace H.', disabled: true }
  const changed = await server.ask('PATCH', '/users/grace', { as: 'boss', json: change })
  expect(changed.body).toMatchObject({ name: 'Grace H.', disabled_at: expect.any(Number) })
  const page = await server.ask<{ users: { user_id: string }[]; total: number }>('GET', '/users', {
    as: 'eve',
  })
  expect(page.body.users.map(({ user_id }) => user_id)).toEqual([
    'ada',
    'bob',
    'boss',
    'eve',
    'grace',
  ])
  expect(page.body.total).toBe(5)
  const { body } = await server.ask<{ changes: { action: string; user_id: string }[] }>(
    ...(['GET', '/audit/changes?kind=user', { as: 'eve' }] as const),
  )
  expect(body.changes.map(({ action, user_id }) => [action, user_id])).toEqual([
    ['disabled', 'boss'],
    ['added', 'boss'],
  ])
})

test('users are found by name or id, with how full their workspaces are', async () => {
  await using server = await startTestPlatform()
  const bytes = new TextEncoder().encode('hello')
  await server.platform.workspaces.use({ tenant_id: 'acme', user_id: 'ada' }, (workspace) =>
    workspace.write('files/a.txt', bytes),
  )
  interface Found {
    users?: { user_id: string }[]
    workspaces?: { user_id: string }[]
    total: number
  }
  const found = await server.ask<Found>('GET', '/users?q=AD', { as: 'eve' })
  expect(found.body).toMatchObject({ users: [{ user_id: 'ada' }], total: 1 })
  const full = await server.ask<Found>('GET', '/workspaces?q=ada', { as: 'eve' })
  expect(full.body).toMatchObject({
    workspaces: [{ user_id: 'ada', status: 'active', bytes: 5, used_at: expect.any(Number) }],
    total: 1,
  })
  const none = await server.ask<Found>('GET', '/workspaces?q=bob', { as: 'boss' })
  expect(none.body.workspaces).toMatchObject([{ status: 'none', bytes: 0, used_at: null }])
  expect((await server.ask('GET', '/workspaces', { as: 'ada' })).status).toBe(403)
  expect((await server.ask('GET', '/workspaces?tenant_id=acme', { as: 'max' })).status).toBe(404)
})

test('a workspace that cannot be read is unknown, and the others are told all the same', async () => {
  await using server = await startTestPlatform()
  const folder = join(server.dir, 'workspaces', '@acme')
  await mkdir(join(folder, 'bob'), { recursive: true })
  await writeFile(join(folder, 'ada'), 'no folder')
  const { status, body } = await server.ask<WorkspacesPage>('GET', '/workspaces', { as: 'boss' })
  expect(status).toBe(200)
  const rows = body.workspaces.map((row) => [row.user_id, row.status, row.bytes])
  expect(rows).toContainEqual(['ada', 'unknown', null])
  expect(rows).toContainEqual(['bob', 'active', 0])
})

test('users see themselves; others, and those of another tenant, are not there [D32.2]', async () => {
  await using server = await startTestPlatform()
  const status = async (as: 'ada' | 'eve' | 'max' | 'operator', path: string) =>
    (await server.ask('GET', path, { as })).status
  expect(await status('ada', '/users/ada')).toBe(200)
  expect(await status('ada', '/users/bob')).toBe(404)
  expect(await status('ada', '/users')).toBe(403)
  expect(await status('eve', '/users/bob')).toBe(200)
  expect(await status('max', '/users/ada')).toBe(404)
  expect(await status('max', '/users?tenant_id=acme')).toBe(404)
  expect(await status('operator', '/users/ada?tenant_id=acme')).toBe(200)
})

test('nobody gives a role above their own, nor changes one who has it [T48]', async () => {
  await using server = await startTestPlatform()
  const { tables, clock } = server.platform
  const times = { created_at: clock.now(), disabled_at: null }
  const chief = { tenant_id: 'acme', user_id: 'chief', name: 'Chief' }
  await tables.users.create({ ...chief, role: 'platform_admin', ...times })
  const status = async (method: string, path: string, json: object) =>
    (await server.ask(method, path, { as: 'boss', json })).status
  const made = { user_id: 'x', name: 'X', role: 'platform_admin' }
  expect(await status('POST', '/users', made)).toBe(403)
  expect(await status('PATCH', '/users/ada', { role: 'platform_admin' })).toBe(403)
  expect(await status('PATCH', '/users/chief', { disabled: true })).toBe(403)
  expect(await status('POST', '/users/chief/api-keys', { name: 'mine', role: 'admin' })).toBe(403)
  expect(await status('PATCH', '/users/ada', { role: 'auditor' })).toBe(200)
})

test('a tenant keeps its last administrator, and its limit of users [T48]', async () => {
  await using server = await startTestPlatform()
  for (const json of [{ disabled: true }, { role: 'user' }]) {
    const answer = await server.ask<Refusal>('PATCH', '/users/max', { as: 'max', json })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      ...{ error_code: 'conflict', details: { reason: 'last_manager' } },
    })
  }
  const limit = { as: 'operator', json: { max_users: 4 } } as const
  await server.ask('PATCH', '/tenants/globex', limit)
  const answers = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      server.ask<Refusal>('POST', '/users', {
        as: 'max',
        json: { user_id: `new-${n}`, name: 'New' },
      }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429])
  const full = answers.find(({ status }) => status === 429)
  expect(full?.body).toMatchObject({
    error_code: 'quota_exceeded',
    details: { limit: 'max_users', max: 4 },
  })
})
