// Governed tools in a graph that is not ours: policy, approval, limits and audit come along.
import assert from 'node:assert/strict'
import { createDemoModel } from '@dataagent/core'
import { defineTool, ownServerId } from '@dataagent/hub'
import { toLangChainModel, toLangChainTools } from '@dataagent/langchain'
import { createAgent } from 'langchain'
import { z } from 'zod'
import { openPlatform, person } from './open-platform.ts'

const stock = defineTool({
  name: 'stock',
  description: 'How many there are.',
  input: z.object({ sku: z.string() }),
  run: ({ sku }) => `There are 7 of ${sku}.`,
})
const orders: string[] = []
const order = defineTool({
  name: 'order',
  description: 'Orders more.',
  input: z.object({ sku: z.string() }),
  approval: 'ask',
  run: ({ sku }) => `Ordered: ${orders.push(sku)}`,
})

await using platform = await openPlatform()
const { hub } = platform
const admin = { ...person, user_id: 'root', role: 'admin' } as const

/** Your program, your graph; the model may be any of LangChain's. */
const model = toLangChainModel(createDemoModel())
function askWith(tools: ReturnType<typeof toLangChainTools>) {
  const agent = createAgent({ model, tools })
  return async (text: string) => {
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: text }] })
    return String(messages.at(-1)?.content)
  }
}

// All that ada may use: these two, and the tools of the servers that she is bound to.
const means = { hub, principal: person, tools: [stock, order] }
const ask = askWith(toLangChainTools(means))
const answer = await ask('Use the stock tool with sku=sku-0042')
console.log(answer)
assert.match(answer, /There are 7 of sku-0042/)

// Nobody is there to be asked, so what asks is refused; the model reads why.
const refused = await ask('Use the order tool with sku=sku-0042')
console.log(refused)
assert.deepEqual(orders, [])

// Or the call waits, and whoever may decide does.
hub.approvals.onChange(async ({ status, approval_id }) => {
  if (status !== 'pending') return
  await hub.approvals.decide(person, approval_id, { type: 'approve', message: '' })
})
const askAndWait = askWith(toLangChainTools({ ...means, approver: { kind: 'wait' } }))
console.log(await askAndWait('Use the order tool with sku=sku-0042'))
assert.deepEqual(orders, ['sku-0042'])

// A rule holds at once, also in a graph that was made before it.
await hub.policy.addRule(admin, {
  ...{ tier: 'tenant', subject: { kind: 'tenant', id: '*' }, effect: 'deny' },
  ...{ server_id: ownServerId, tool: 'stock' },
})
const denied = await ask('Use the stock tool with sku=sku-0042')
console.log(denied)
assert.doesNotMatch(denied, /There are 7/)

// And the record has each call, with its end.
await hub.audit.flush()
const rows = await hub.audit.query(admin, { limit: 10, offset: 0 })
const noted = rows.map(({ tool_name, status }) => `${tool_name} ${status}`)
console.log(noted)
assert.deepEqual(noted.toReversed(), ['stock ok', 'order denied', 'order ok', 'stock denied'])
