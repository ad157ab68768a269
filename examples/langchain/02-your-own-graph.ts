// A graph of LangChain's createAgent works on the turns; a person decides on what it wants to do.
import assert from 'node:assert/strict'
import type { HITLHandler } from '@dataagent/core'
import { createCheckpointSaver, createLangChainExecutor } from '@dataagent/langchain'
import type { Decision } from '@dataagent/schema'
import { createAgent, dynamicSystemPromptMiddleware, tool } from 'langchain'
import { z } from 'zod'
import { openPlatform } from './open-platform.ts'

const refunds: string[] = []
const refund = tool(
  async ({ order, amount }) => {
    refunds.push(`${order}: ${amount}`)
    return `Refunded ${amount} for ${order}.`
  },
  {
    name: 'refund',
    description: 'Gives money back.',
    schema: z.object({ order: z.string(), amount: z.number() }),
  },
)
const courteous = dynamicSystemPromptMiddleware(() => 'You work in a shop, and are courteous.')

await using platform = await openPlatform()
const checkpointer = createCheckpointSaver({ store: platform.sql.checkpoints })
const { say, session_id } = await platform.openSession({ assistant_id: 'clerk' }, (options) =>
  createLangChainExecutor({
    ...options,
    checkpointer,
    // Called for each turn. parts.agent() has the model, the prompt, the tools and what governs.
    createGraph: (parts) => createAgent(parts.agent({ tools: [refund], middleware: [courteous] })),
    // In the place of humanInTheLoopMiddleware({ interruptOn: { refund: true } }).
    toolOptions: (name) => (name === 'refund' ? { approval: 'ask' } : undefined),
  }),
)

/** A real one shows the call to a person and waits, for as long as it takes. */
function deciding(decision: Decision) {
  const handler: HITLHandler = {
    async requestApproval({ name, args }) {
      console.log('May it?', name, args, decision.type)
      return decision
    },
  }
  return { approvals: { kind: 'handler', handler } } as const
}
const input = 'Use the refund tool with order=order-0042 amount=500'

// No: the run ends, nothing has run, and the call has its answer in the thread.
const refused = await say(input, deciding({ type: 'reject', message: 'Too much.' }))
assert.deepEqual(refunds, [])
const end = refused.events.at(-1)
assert(end?.event_type === 'done' && end.cancelled)

// Yes, but to another amount.
const args = { order: 'order-0042', amount: 50 }
const approved = await say(input, deciding({ type: 'approve', message: 'Only 50.', args }))
console.log(approved.text)
assert.deepEqual(refunds, ['order-0042: 50'])
assert.match(approved.text, /Refunded 50/)

// The same events as of any other agent, in the same order.
const kinds = approved.events.map(({ event_type }) => event_type)
assert.deepEqual(
  kinds.filter((kind) => /tool|hitl|approval|done/.test(kind)),
  ['tool_call', 'hitl_request', 'approval_decided', 'tool_started', 'tool_result', 'done'],
)

// The thread is in the same database, one checkpoint long: the history is in the log.
const config = { configurable: { thread_id: session_id } }
const checkpoints = await Array.fromAsync(checkpointer.list(config))
assert.equal(checkpoints.length, 1)
