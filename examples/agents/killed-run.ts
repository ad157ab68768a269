// A process that dies in the middle of a run: when a room was booked, or when a person is asked.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bookingAgent } from './booking.ts'
import { openAgents, person } from './open-agents.ts'

const [dir = '', room = ''] = process.argv.slice(2)
const die = () => process.kill(process.pid, 'SIGKILL')

await using agents = await openAgents({ dir })
const { executor, session_id } = await agents.openSession(bookingAgent(dir, die))
await writeFile(join(dir, 'session'), session_id)
const input = `Use the book_room tool with room=${room}`
for await (const event of executor.execute(input, session_id, {
  ...{ principal: person, approvals: { kind: 'inbox' } },
})) {
  if (event.event_type === 'hitl_request') die()
}
