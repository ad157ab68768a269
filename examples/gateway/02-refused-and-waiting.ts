// What policy says holds for others too: one call is refused, another waits for a person.
import assert from 'node:assert/strict'
import { waitFor } from '@dataagent/testkit'
import { openGateway } from './open-gateway.ts'

await using gateway = await openGateway({ holdSeconds: 8 })
const { admin, mall, key } = gateway
const client = await gateway.connect(key)
const call = (tool: string, args: Record<string, unknown>) =>
  client.callTool({ name: `mall--mall4j--order--${tool}`, arguments: args })

// A rule denies the group a tool that is in it: it is in no list, and a call of it is refused.
const note = { orderId: 'order-0001', text: 'Call back.' }
assert.equal((await call('add_note', note)).isError ?? false, false)
await admin.policy.addRule({
  ...{ tier: 'tenant', subject: { kind: 'group', id: 'support' }, effect: 'deny' },
  ...{ server_id: 'mall', tool: 'mall4j.order.add_note' },
})
await assert.rejects(call('add_note', note), telling(/Unknown tool/))
assert.equal((await client.listTools()).tools.length, 3)
assert.equal((await mall.calls('mall4j.order.add_note')).length, 1)

// The shop calls it destructive to cancel an order, so somebody has to say yes. The call is held.
const [first, second, third] = await paidOrders()
assert(first && second && third)
const [held] = await Promise.all([call('cancel', first), decide('approve')])
console.log(held.structuredContent)
assert.equal(Object(held.structuredContent).status, 'cancelled')

// No is an answer too: the client reads why.
const rejected = assert.rejects(call('cancel', second), telling(/Ask the customer first/))
await Promise.all([rejected, decide('reject', 'Ask the customer first.')])

// Nobody looks in time: the client is told that it waits. The same call again runs, once, when it
// was approved.
await assert.rejects(call('cancel', third), telling(/A person must approve this call/))
await decide('approve')
const done = await call('cancel', third)
assert.equal(Object(done.structuredContent).status, 'cancelled')
const cancelled = (await mall.calls('mall4j.order.cancel')).map((made) => made.arguments)
assert.deepEqual(cancelled, [first, third])

/** Only those can be cancelled. */
async function paidOrders() {
  const { structuredContent } = await call('list', { status: 'paid' })
  const { orders }: { orders: { orderId: string }[] } = Object(structuredContent)
  return orders.map(({ orderId }) => ({ orderId }))
}

/** What a person does who has an inbox. */
async function decide(type: 'approve' | 'reject', message = ''): Promise<void> {
  const pending = async () => (await admin.approvals.list({ status: 'pending' })).approvals[0]
  const found = await waitFor(pending, { timeoutMs: 10_000, what: 'an approval' })
  console.log(`May it call ${found.tool_name}? ${type}`)
  await admin.approvals.decide(found.approval_id, { type, message })
}

function telling(expected: RegExp) {
  return ({ message }: Error) => {
    console.log(message)
    return expected.test(message)
  }
}
