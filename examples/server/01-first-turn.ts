// A program signs in, begins a session, reads a turn as it comes, and answers what is asked.
import assert from 'node:assert/strict'
import { isClientError } from '@dataagent/client'
import { isKnownEvent } from '@dataagent/schema'
import { openServer } from './open-server.ts'

await using server = await openServer()
const ada = server.clientOf('ada')

// Who calls is what the key says: nothing in a request changes it.
const me = await ada.identity.me()
console.log(`${me.user_id} of the tenant ${me.tenant_id}, as ${me.role}`)
assert.deepEqual([me.user_id, me.role], ['ada', 'user'])

// A turn over plain HTTP, event by event. Its last event is `done`.
const { session_id } = await ada.sessions.create({ title: 'Shopping' })
let reply = ''
for await (const event of ada.chat.stream({ session_id, message: 'What can you do?' })) {
  if (!isKnownEvent(event)) continue
  if (event.event_type === 'text') reply += event.content
  if (event.event_type === 'done') assert.equal(event.cancelled, false)
}
console.log(reply)
assert.match(reply, /write_file/)

// An administrator wants to be sure: from now on somebody approves each file that is written.
await server.clientOf('admin').policy.addRule({
  ...{ tier: 'tenant', subject: { kind: 'user', id: '*' }, effect: 'ask' },
  ...{ server_id: 'dataagent', tool: 'write_file' },
})

// Over a socket a person can be asked. The answer changes what is written.
using socket = ada.connect(session_id, { after: await endOf(session_id) })
socket.send('Write notes.txt: buy milk')
for await (const event of socket) {
  if (!isKnownEvent(event)) continue
  if (event.event_type === 'hitl_request') {
    const { name, args } = event.action_request
    console.log(`May it call ${name} with ${JSON.stringify(args)}?`)
    const oat = { ...args, content: 'buy oat milk' }
    await socket.decide(event.approval_id, { type: 'approve', args: oat })
  }
  if (event.event_type === 'done') break
}
const file = await ada.files.read('notes.txt')
assert.equal(await file.text(), 'buy oat milk')

// The turn is in the history, and the call in the audit, with the one who approved it.
const { messages } = await ada.sessions.messages(session_id)
assert.equal(messages.filter(({ role }) => role === 'user').length, 2)
const { approvals } = await ada.approvals.list({ status: 'used' })
assert.equal(approvals.length, 1)

// Where nobody can be asked, what asks is refused, and the model is told so.
const { events } = await ada.chat.send({ session_id, message: 'Write more.txt: buy tea' })
const result = events.filter(isKnownEvent).find((event) => event.event_type === 'tool_result')
assert.equal(result?.outcome, 'denied')

// What is not one's own is not there.
await assert.rejects(
  server.clientOf('admin').sessions.get(session_id),
  (error) => isClientError(error, 'not_found') && error.status === 404,
)

/** The point after all that has happened. */
async function endOf(id: string) {
  const { head } = await ada.sessions.events(id)
  return { seq: head, offset: 0 }
}
