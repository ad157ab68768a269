// Some tools of a shop, for an MCP client of somebody else: it lists, it calls, and is on record.
import assert from 'node:assert/strict'
import { waitFor } from '@dataagent/testkit'
import { openGateway } from './open-gateway.ts'

await using gateway = await openGateway()
const { admin, mall, key } = gateway

// Of the eight tools of the shop the group has the four of orders, and the client sees no other.
const client = await gateway.connect(key)
const { tools } = await client.listTools()
const names = tools.map(({ name }) => name).sort()
console.log(names)
assert.deepEqual(names, [
  'mall--mall4j--order--add_note',
  'mall--mall4j--order--cancel',
  'mall--mall4j--order--get_detail',
  'mall--mall4j--order--list',
])

const order = await client.callTool({
  name: 'mall--mall4j--order--get_detail',
  arguments: { orderId: 'order-0042' },
})
console.log(order.structuredContent)
assert.equal(Object(order.structuredContent).orderId, 'order-0042')

// What is not in the group is as if it did not exist, and the shop hears nothing of it.
const outside = { name: 'mall--mall4j--report--sales', arguments: {} }
await assert.rejects(client.callTool(outside), /Unknown tool/)
assert.equal((await mall.calls()).length, 1)

// Both calls are on record, under the group.
const recordOf = async () => (await admin.audit.calls({ group_id: 'support' })).calls
const isWhole = async () => (await recordOf()).length === 2
await waitFor(isWhole, { timeoutMs: 5_000, what: 'two calls on record' })
for (const { tool_name, status, duration_ms } of await recordOf()) {
  console.log(`${tool_name}: ${status}, ${duration_ms} ms`)
}

// The key is changed: who has the old one is out, and who has the new one goes on.
const rotated = await admin.toolGroups.rotateKey('support')
await assert.rejects(gateway.connect(key), /Invalid API Key/)
const again = await gateway.connect(rotated.key)
assert.equal((await again.listTools()).tools.length, 4)
