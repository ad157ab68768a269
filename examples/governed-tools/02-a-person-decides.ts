// A tool that its server calls destructive: a person is asked, and the decision holds for one call.
import assert from 'node:assert/strict'
import type { CallContext } from '@dataagent/hub'
import { admin, openShop } from './open-hub.ts'

await using shop = await openShop()
const { hub, mall } = shop
await hub.policy.setAllowList(admin, { kind: 'tenant', id: 'acme' }, [
  { server_id: 'mall', tool: 'mall4j.*' },
])

const person = { tenant_id: 'acme', user_id: 'ada', role: 'user' } as const
const context: CallContext = { principal: person, source: 'sdk', approver: { kind: 'wait' } }
const cancel = { tool: 'mall4j.order.cancel', args: { orderId: 'order-0007' } }

// Nobody can be asked: the call is refused, and says what would allow it.
const alone = await hub.callTool({ ...context, approver: { kind: 'nobody' } }, cancel)
assert(alone.status === 'denied' && alone.error.code === 'approval_required')
console.log(alone.error.message)
console.log(hub.explain(context, cancel.tool)?.steps.find(({ decided }) => decided)?.text)

// The call waits; whoever has an inbox decides.
const stop = hub.approvals.onChange(async (approval) => {
  if (approval.status !== 'pending') return
  await hub.approvals.decide(person, approval.approval_id, { type: 'approve', message: '' })
})
const first = await hub.callTool(context, cancel)
assert.equal(first.status, 'ok')
stop()

// A second call asks again, and this time the answer is no.
hub.approvals.onChange(async (approval) => {
  if (approval.status !== 'pending') return
  const decision = { type: 'reject', message: 'Keep it.' } as const
  await hub.approvals.decide(person, approval.approval_id, decision)
})
const second = await hub.callTool(context, cancel)
assert(second.status === 'rejected')
assert.match(second.error.message, /Keep it\./)
assert.equal((await mall.calls('mall4j.order.cancel')).length, 1)
