// A run that is cancelled, and runs whose process dies: nothing is lost, nothing happens twice.
import assert from 'node:assert/strict'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toReplyText } from '@dataagent/core'
import { startProcess } from '@dataagent/guard'
import { defineTool } from '@dataagent/hub'
import { z } from 'zod'
import { bookingAgent } from './booking.ts'
import { openAgents, person } from './open-agents.ts'

await cancelARun()
await goOnAfterAKill('garden', (events) => {
  // It may have been booked when the process died, so it is not booked again: a person looks.
  const result = events.find((event) => event.event_type === 'tool_result')
  assert.equal(result?.outcome, 'unknown_outcome')
})
await goOnAfterAKill('ballroom', (events) => {
  // The question had outlived the process that asked it, and was answered in another one.
  const result = events.find((event) => event.event_type === 'tool_result')
  assert.equal(result?.outcome, 'ok')
  assert.match(toReplyText(events), /ballroom is booked/)
})

async function cancelARun(): Promise<void> {
  const deaf = defineTool({
    name: 'think_hard',
    description: 'Thinks, and hears no signal.',
    input: z.object({}),
    run: () => new Promise<string>(() => {}),
  })
  await using agents = await openAgents()
  const config = { assistant_id: 'thinker', extra_tools: [deaf] }
  const { executor, session_id } = await agents.openSession(config)

  const cancel = new AbortController()
  const context = { principal: person, signal: cancel.signal }
  const events = []
  for await (const event of executor.execute('Use the think_hard tool', session_id, context)) {
    events.push(event)
    if (event.event_type === 'tool_started') cancel.abort()
  }
  const result = events.find((event) => event.event_type === 'tool_result')
  const done = events.at(-1)
  console.log(result?.result)
  assert.equal(result?.outcome, 'cancelled')
  assert(done?.event_type === 'done' && done.cancelled)

  // The call has its answer in the history, so the next turn is an ordinary one.
  const next = await Array.fromAsync(executor.execute('Hello', session_id, { principal: person }))
  assert.match(toReplyText(next), /Hello!/)
}

type Events = Awaited<ReturnType<typeof resume>>
type Agents = Awaited<ReturnType<typeof openAgents>>

async function goOnAfterAKill(room: string, check: (events: Events) => void) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'agents-'))
  const dir = folder.path
  const program = join(import.meta.dirname, 'killed-run.ts')
  const args = ['--conditions=dataagent-source', program, dir, room]
  await using killed = await startProcess({ command: process.execPath, args, env: {} })
  killed.stdout.resume()
  assert.equal((await killed.exited).signal, 'SIGKILL')

  await using agents = await openAgents({ dir })
  check(await resume(agents, await readFile(join(dir, 'session'), 'utf8')))
  assert.equal(await readFile(join(dir, 'bookings.txt'), 'utf8'), `${room}\n`)
}

/** What was left is gone on with, and what is asked is answered with yes. */
async function resume({ hub, dir, openSession }: Agents, session_id: string) {
  const { executor } = await openSession(bookingAgent(dir), session_id)
  const events = []
  for await (const event of executor.resume(session_id, {
    ...{ principal: person, approvals: { kind: 'inbox' } },
  })) {
    events.push(event)
    if (event.event_type !== 'hitl_request') continue
    await hub.approvals.decide(person, event.approval_id, { type: 'approve', message: '' })
  }
  console.log(toReplyText(events))
  return events
}
