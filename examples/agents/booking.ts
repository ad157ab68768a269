import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentConfig } from '@dataagent/core'
import { defineTool } from '@dataagent/hub'
import { z } from 'zod'

/** An agent that books rooms: one line of a file a booking. */
export function bookingAgent(
  dir: string,
  onBooked: () => void = () => {},
): AgentConfig & { assistant_id: 'clerk' } {
  const book = defineTool({
    name: 'book_room',
    description: 'Books a room.',
    input: z.object({ room: z.string() }),
    approval: ({ room }) => (room === 'ballroom' ? 'ask' : 'allow'),
    async run({ room }) {
      await appendFile(join(dir, 'bookings.txt'), `${room}\n`)
      onBooked()
      return `The ${room} is booked.`
    },
  })
  return { assistant_id: 'clerk', extra_tools: [book] }
}
