import { longCount } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startEngine } from './test-engine.ts'

/** Characters that a turn adds to a log which holds so many messages already. */
async function writtenAfter(messages: number): Promise<number> {
  await using engine = await startEngine({ script: () => 'The answer is the same as ever.' })
  const { session_id, sql } = engine
  const entries = Array.from({ length: messages }, (_, index) => toEntry(session_id, index))
  for (let at = 0; at < entries.length; at += 500)
    await sql.events.append(session_id, entries.slice(at, at + 500))
  await engine.say('What is the answer?')
  const rows = await sql.events.read(session_id, { after: messages, limit: 1_000 })
  return rows.reduce((sum, { json }) => sum + withoutNumbers(json).length, 0)
}

function toEntry(session_id: string, index: number) {
  const place = { session_id, seq: index + 1, run_id: 'run-0', timestamp: 1 }
  const content = `Message ${index} of a long conversation.`
  const event =
    index % 2 === 0
      ? { event_type: 'user_message', message_id: `message-${index}`, content }
      : { event_type: 'text', content, is_final: true }
  return { kind: event.event_type, json: JSON.stringify({ ...event, ...place }) }
}

/** Counts and places have more digits in a longer log, and ids are random. */
function withoutNumbers(json: string): string {
  return json.replace(/[\da-f]{8}-[\da-f-]{27}/g, 'id').replace(/\d+/g, '0')
}

test('what a turn writes does not grow with the history', { timeout: 120_000 }, async () => {
  const few = await writtenAfter(10)
  const many = await writtenAfter(longCount(1_000, 10_000))
  expect(many).toBe(few)
})
