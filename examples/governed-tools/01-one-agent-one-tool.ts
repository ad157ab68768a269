// An agent that is bound to one tool of a shop, what it is told when it asks for more, the record.
import assert from 'node:assert/strict'
import type { CallContext } from '@dataagent/hub'
import { admin, openShop } from './open-hub.ts'

await using shop = await openShop()
const { hub, mall } = shop
await hub.policy.setAllowList(admin, { kind: 'agent', id: 'support' }, [
  { server_id: 'mall', tool: 'mall4j.order.get_detail' },
])

const context: CallContext = {
  principal: { tenant_id: 'acme', user_id: 'ada', role: 'user', agent_id: 'support' },
  source: 'sdk',
  session_id: 'session-1',
  approver: { kind: 'nobody' },
}
console.log(hub.listTools(context).map(({ sdk_name }) => sdk_name))

const order = await hub.callTool(context, {
  tool: 'mall4j.order.get_detail',
  args: { orderId: 'order-0042' },
})
assert.equal(order.status, 'ok')

// Arguments are looked at before the shop is asked.
const missing = await hub.callTool(context, { tool: 'mall4j.order.get_detail', args: {} })
assert(missing.status === 'invalid')
assert.equal(missing.error.errors?.[0]?.path, 'orderId')
console.log(missing.error.message)

// What it is not bound to is as if it did not exist.
const other = await hub.callTool(context, { tool: 'mall4j.product.search', args: { keyword: 'a' } })
const madeUp = await hub.callTool(context, { tool: 'no.such.tool' })
assert(other.status === 'denied' && madeUp.status === 'denied')
assert.equal(other.error.code, madeUp.error.code)

// Every call is on record, in a chain that shows if a row was changed.
await hub.audit.flush()
const rows = await hub.audit.query(admin, { agent_id: 'support', limit: 10, offset: 0 })
assert.deepEqual(rows.map(({ status }) => status).sort(), ['denied', 'denied', 'invalid', 'ok'])
assert.equal((await hub.audit.verify('acme')).ok, true)
assert.equal((await mall.calls()).length, 1)
