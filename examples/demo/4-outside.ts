import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { createEgress, startProcess } from '@dataagent/guard'
import { createConsent, createDifyProfile, inspectorProgram, waitFor } from '@dataagent/testkit'
import { paidOrders } from './2-chat.ts'
import type { Scene } from './scene.ts'

/** A name that not every model takes is told with its server, in letters that all take. */
const getDetail = 'mall--mall4j--order--get_detail'
const cancel = 'mall--mall4j--order--cancel'

/** The tools as others use them: Inspector, and what a Dify does. */
export async function offerOutside({ narrator, platform, admin, mall }: Scene) {
  const { step } = narrator
  const tools = [
    { server_id: 'mall', tool: 'mall4j.order.*' },
    { server_id: 'memory', tool: 'read_graph' },
  ]

  const { group, key } = await step('a group of tools is offered', () =>
    admin.toolGroups.create({ group_id: 'shop', name: 'Shop', tools }),
  )
  await step('the Inspector lists them and calls one', async () => {
    const address = [group.urls.streamable_http, '--transport', 'http']
    const header = ['--header', `Authorization: Bearer ${key}`]
    const listed = await inspect([...address, ...header, '--method', 'tools/list'])
    assert.equal(listed.tools.length, 5)
    const call = ['--method', 'tools/call', '--tool-name', getDetail]
    const told = await inspect([...address, ...header, ...call, '--tool-arg', 'orderId=order-0042'])
    assert.match(JSON.stringify(told), /order-0042/)
  })
  for (const path of ['/mcp', '/mcp/v1/sse', '/api/v1/mcp/jsonrpc']) {
    await step(`a Dify is given ${path}, is let in on its page, lists and calls`, async () => {
      const url = `${platform.url}${path}`
      const dify = createDifyProfile({ url, authorize: createConsent({ key }) })
      assert.equal((await dify.listTools()).length, 5)
      const result = await dify.callTool(getDetail, { orderId: 'order-0042' })
      assert.equal(result.isError ?? false, false)
    })
  }
  await step('what it may not do alone waits for a person here', async () => {
    const headers = { Authorization: `Bearer ${key}` }
    const dify = createDifyProfile({
      url: `${platform.url}/mcp`,
      headers,
      timeouts: { hangMs: 30_000 },
    })
    const [orderId] = await paidOrders(admin)
    const called = dify.callTool(cancel, { orderId })
    const waiting = async () => (await admin.approvals.list({ status: 'pending' })).approvals[0]
    const { approval_id } = await waitFor(waiting, { timeoutMs: 10_000, what: 'an approval' })
    await admin.approvals.decide(approval_id, { type: 'approve' })
    assert.equal((await called).isError ?? false, false)
    assert.equal((await mall.calls('mall4j.order.cancel')).length, 1)
  })
  await step('the key is revoked: nobody is let in any more', async () => {
    await admin.toolGroups.revokeKey('shop')
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    await using egress = createEgress({ policy: { mode: 'any' } })
    const send = egress.createFetch()
    const list = () => send(`${platform.url}/mcp`, { method: 'POST', headers, body })
    await waitFor(async () => (await list()).status === 401, { timeoutMs: 2_000, what: 'a 401' })
  })
  await step('every call is on record, and the record is whole', async () => {
    const { calls } = await admin.audit.calls({ limit: 200 })
    const statuses = new Set(calls.map(({ status }) => status))
    for (const status of ['ok', 'denied', 'rejected', 'unavailable'])
      assert.ok(statuses.has(status as never), status)
    assert.equal((await admin.audit.verify()).ok, true)
  })
}

async function inspect(args: string[]): Promise<{ tools: unknown[] }> {
  await using run = await startProcess({
    command: process.execPath,
    args: [inspectorProgram(), '--cli', ...args],
    env: {},
  })
  const said = await text(run.stdout)
  const { code } = await run.exited
  if (code !== 0) throw new Error(`the Inspector ended with ${code}: ${run.stderrTail()}`)
  return JSON.parse(said)
}
