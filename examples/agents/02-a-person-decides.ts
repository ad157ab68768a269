// A tool that asks: a person approves, changes what is sent, or rejects it.
import assert from 'node:assert/strict'
import type { ExecuteContext, HITLHandler } from '@dataagent/core'
import { defineTool } from '@dataagent/hub'
import type { Decision } from '@dataagent/schema'
import { z } from 'zod'
import { openAgents, person } from './open-agents.ts'

const sent: string[] = []
const sendMail = defineTool({
  name: 'send_mail',
  description: 'Sends a mail.',
  input: z.object({ to: z.string(), text: z.string() }),
  approval: 'ask',
  run({ to, text }) {
    sent.push(`${to}: ${text}`)
    return 'Sent.'
  },
})

await using agents = await openAgents()
const { executor, session_id } = await agents.openSession({
  assistant_id: 'helper',
  extra_tools: [sendMail],
})

/** A real one shows the request to a person and waits. */
function answering(decision: Decision): HITLHandler {
  return {
    async requestApproval({ name, args }) {
      console.log(`May it call ${name} with ${JSON.stringify(args)}?`, decision)
      return decision
    },
  }
}

async function ask(text: string, approvals: ExecuteContext['approvals']) {
  const context = { principal: person, approvals }
  const input = `Use the send_mail tool with to=bob@example.com text="${text}"`
  return Array.fromAsync(executor.execute(input, session_id, context))
}

// Yes, to this call and to no other.
await ask('hello', { kind: 'handler', handler: answering({ type: 'approve', message: '' }) })
assert.deepEqual(sent, ['bob@example.com: hello'])

// Yes, but to other arguments than the model wanted.
const args = { to: 'bob@example.com', text: 'good morning' }
const edit: Decision = { type: 'approve', message: 'More polite.', args }
await ask('hi', { kind: 'handler', handler: answering(edit) })
assert.deepEqual(sent.slice(1), ['bob@example.com: good morning'])

// No: the run ends here, as one that was cancelled.
const no: Decision = { type: 'reject', message: 'Not now.' }
const rejected = await ask('spam', { kind: 'handler', handler: answering(no) })
assert.deepEqual(toEnd(rejected), { outcome: 'rejected', cancelled: true })

// The gentler no: the model reads the reason, and goes on without.
const gently: Decision = { ...no, on_reject: 'tell' }
const told = await ask('more spam', { kind: 'handler', handler: answering(gently) })
assert.deepEqual(toEnd(told), { outcome: 'rejected', cancelled: false })

// Without a handler the call waits in the inbox, for whoever may decide.
const stop = agents.hub.approvals.onChange(async ({ status, approval_id }) => {
  if (status !== 'pending') return
  const decision: Decision = { type: 'approve', message: '', scope: 'tool' }
  await agents.hub.approvals.decide(person, approval_id, decision)
})
await ask('from the inbox', { kind: 'inbox' })
stop()
assert.equal(sent.length, 3)

// That yes was for the tool in this session: nobody is asked again.
const unasked = await ask('once more', { kind: 'nothing' })
assert.equal(sent.length, 4)
assert.equal(unasked.filter(({ event_type }) => event_type === 'hitl_request').length, 0)

function toEnd(events: Awaited<ReturnType<typeof ask>>) {
  const result = events.find((event) => event.event_type === 'tool_result')
  const done = events.findLast((event) => event.event_type === 'done')
  return { outcome: result?.outcome, cancelled: done?.cancelled }
}
