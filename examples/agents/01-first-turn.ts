// A first turn, without any key: the demo model uses the agent's files and a tool of one's own.
import assert from 'node:assert/strict'
import { toReplyText } from '@dataagent/core'
import { defineTool } from '@dataagent/hub'
import { z } from 'zod'
import { openAgents, person } from './open-agents.ts'

const convert = defineTool({
  name: 'convert_length',
  description: 'Converts a length from metres to feet.',
  input: z.object({ metres: z.number().describe('The length') }),
  run: ({ metres }) => `${(metres * 3.28084).toFixed(2)} ft`,
})

await using agents = await openAgents()
const { executor, session_id } = await agents.openSession({
  assistant_id: 'helper',
  extra_tools: [convert],
})

// A run is read event by event, as it happens. It never throws, and its last event is `done`.
for await (const event of executor.execute('Write notes.txt: buy milk', session_id, {
  principal: person,
})) {
  if (event.event_type === 'text') process.stdout.write(event.content)
  if (event.event_type === 'tool_call') console.log('→', event.tool_name, event.tool_args)
  if (event.event_type === 'file_operation') console.log(event.diff)
  if (event.event_type === 'done') assert.equal(event.cancelled, false)
}

// Or whole: the next turns know of the first, by the session's log.
async function say(text: string): Promise<string> {
  const events = await Array.fromAsync(executor.execute(text, session_id, { principal: person }))
  assert.equal(events.at(-1)?.event_type, 'done')
  return toReplyText(events)
}
assert.match(await say('Read notes.txt'), /buy milk/)
const converted = await say('Use the convert_length tool with metres=10')
console.log(`\n${converted}`)
assert.match(converted, /32\.81 ft/)

// What is missing is asked for, and not made up.
const question = await say('Use the convert_length tool')
console.log(question)
assert.match(question, /metres/)
assert.match(await say('2'), /6\.56 ft/)
