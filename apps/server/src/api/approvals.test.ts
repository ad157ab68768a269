import { randomUUID } from 'node:crypto'
import type { Approval, ApprovalsPage, ServerInfo } from '@dataagent/schema'
import { startHostileHttp, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Config } from '../config/index.ts'
import { type Person, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let scene: Scene
let server: TestPlatform
beforeAll(async () => {
  scene = await startScene()
  server = scene.server
})
afterAll(() => scene[Symbol.asyncDispose]())

type Scene = Awaited<ReturnType<typeof startScene>>

/** A server whose tool `count` asks. */
async function startScene(config: Partial<Config> = {}) {
  await using cleanup = new AsyncDisposableStack()
  const mall = cleanup.use(await startHostileHttp('none'))
  const server = cleanup.use(await startTestPlatform({ config }))
  const json = { config: { name: 'mall', url: mall.url } }
  const added = await server.ask<ServerInfo>('POST', '/mcp-servers', { as: 'boss', json })
  await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id: added.body.server_id })
  const moved = cleanup.move()
  return { server, mall, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

const inbox = async (as: Person = 'ada', query = '', where = server) =>
  (await where.ask<ApprovalsPage>('GET', `/approvals?${query}`, { as })).body

/** A call that waits for a person, unlike every other, and the approval it waits for. */
async function asking(where = server) {
  const args = { unlike: randomUUID() }
  const json = { tool: 'mall.count', args, wait_for_approval: true }
  const call = where.ask('POST', '/tools/call', { json })
  const read = async () => (await inbox('ada', 'status=pending', where)).approvals[0]
  const approval = await waitFor(read, { timeoutMs: 15_000 })
  const path = `/approvals/${approval.approval_id}`
  return { call, approval, path }
}

test('the inbox lists what waits, to whom it belongs and to administrators [D18.2]', async () => {
  const { call, approval, path } = await asking()
  expect(approval).toMatchObject({ status: 'pending', tool_name: 'count', user_id: 'ada' })
  expect(approval.expires_at - approval.created_at).toBe(300_000)
  expect((await inbox('boss', 'status=pending')).approvals).toMatchObject([approval])
  expect((await inbox('boss', 'status=pending&mine=true')).approvals).toEqual([])
  for (const as of ['bob', 'zoe', 'max'] as const) {
    expect((await inbox(as)).approvals).toEqual([])
    expect((await server.ask('GET', path, { as })).status).toBe(404)
  }
  expect((await server.ask('GET', '/approvals', { as: 'eve' })).status).toBe(403)
  const json = { type: 'reject', message: 'Not now.' }
  expect((await server.ask('POST', `${path}/decide`, { as: 'boss', json })).status).toBe(200)
  expect(await call).toMatchObject({ status: 403, body: { error_code: 'approval_rejected' } })
  expect(scene.mall.notes('effect')).toEqual([])
})

test('what was decided is a conflict, with the decision that holds', async () => {
  const { call, path } = await asking()
  const decide = (type: string) =>
    server.ask('POST', `${path}/decide`, { json: { type, message: type } })
  const answers = await Promise.all(['approve', 'reject', 'approve', 'reject'].map(decide))
  const taken = answers.find(({ status }) => status === 200)
  const others = answers.filter(({ status }) => status === 409)
  expect(others).toHaveLength(3)
  const { decision } = (taken?.body ?? {}) as Extract<Approval, { status: 'decided' }>
  for (const { body } of others) expect(JSON.stringify(body.details)).toContain(decision.type)
  const { status } = await call
  expect(status).toBe(decision.type === 'approve' ? 200 : 403)
})

test('nobody answers: it counts as rejected, and can be asked for again [D18.4] [D18.5]', async () => {
  await using hasty = await startScene({ approval_timeout: 2 })
  const { call, path } = await asking(hasty.server)
  expect(await call).toMatchObject({ status: 403, body: { error_code: 'approval_rejected' } })
  const expired = await hasty.server.ask('GET', path)
  expect(expired.body).toMatchObject({ status: 'decided', via: 'expiry', decided_by: null })
  expect(expired.body).toMatchObject({ decision: { type: 'reject' } })
  const again = await hasty.server.ask('POST', `${path}/reask`)
  expect(again.body).toMatchObject({ status: 'pending', asked: 2 })
  await hasty.server.ask('POST', `${path}/decide`, { json: { type: 'reject' } })
})

test('another person decides what is handed over to them; nobody is made up', async () => {
  const { call, path } = await asking()
  const to = (user_id: string) => server.ask('POST', `${path}/hand-over`, { json: { user_id } })
  expect((await to('nobody')).status).toBe(400)
  expect((await to('zoe')).status).toBe(400)
  expect((await to('bob')).body).toMatchObject({ assignee: 'bob' })
  const json = { type: 'approve' }
  const decided = await server.ask('POST', `${path}/decide`, { as: 'bob', json })
  expect(decided.body).toMatchObject({ status: 'decided', decided_by: 'bob' })
  expect((await call).status).toBe(200)
})

test('pages say whether there are more', async () => {
  const first = await inbox('ada', 'limit=1')
  expect(first).toMatchObject({ limit: 1, offset: 0, more: true })
  expect(first.approvals).toHaveLength(1)
  const all = await inbox('ada')
  expect(all.more).toBe(false)
})
