import { expect, test } from 'vitest'
import { createMemorySessionStore, type SessionLog } from '../session/index.ts'
import { stored } from '../session/test-session-stores.ts'
import { loadConversation } from './load-conversation.ts'

const image = { type: 'image', data: 'A'.repeat(900_000), mimeType: 'image/png' }
const shown = { content: [image], with_text: false }

/** A log of turns, each with a screenshot; `summaryAfter` of them, they are summed up. */
async function withImages(turns: number, summaryAfter?: number) {
  const stores = createMemorySessionStore()
  const session_id = await stored(stores)
  const say = async (event_type: string, fields: object) => {
    const json = JSON.stringify({ event_type, timestamp: 1, run_id: 'r', ...fields })
    return stores.events.append(session_id, [{ kind: event_type, json }])
  }
  for (let n = 1; n <= turns; n += 1) {
    await say('user_message', { content: `look ${n}`, message_id: `m${n}` })
    const call = { tool_call_id: `c${n}` }
    await say('tool_call', { ...call, tool_name: 'look', tool_args: {} })
    await say('tool_result', { ...call, result: `image ${n}`, status: 'success', shown })
    const { last } = await say('done', { cancelled: false })
    if (n === summaryAfter) await say('summary', { content: 'So far.', through_seq: last })
  }
  return { log: stores.events, session_id }
}

/** Notes how much of the log is in memory at a time. */
function watched(log: SessionLog) {
  let most = 0
  const note = <R extends { json: string }[]>(rows: R): R => {
    most = Math.max(
      most,
      rows.reduce((sum, { json }) => sum + json.length, 0),
    )
    return rows
  }
  const watching: SessionLog = {
    ...log,
    tail: async (...given) => note(await log.tail(...given)),
    read: async (...given) => note(await log.read(...given)),
  }
  return { log: watching, most: () => most }
}

test.each<[string, number, number | undefined, string]>([
  ['whole', 40, undefined, 'look 1'],
  ['from its summary on', 40, 5, 'So far.'],
  ['from its summary on, where that is near its end', 40, 39, 'So far.'],
])('a log with many images is read %s, little by little', async (_, turns, summaryAfter, begin) => {
  const { log, session_id } = await withImages(turns, summaryAfter)
  const { log: watching, most } = watched(log)
  const { messages, head } = await loadConversation(watching, session_id)
  expect(messages[0]).toEqual({ role: 'user', content: begin })
  expect(messages.at(-1)).toMatchObject({ role: 'tool', content: `image ${turns}` })
  expect(messages).toHaveLength((turns - (summaryAfter ?? 0)) * 3 + (summaryAfter ? 1 : 0))
  expect(head).toBe(await log.head(session_id))
  expect(most()).toBeLessThan(10 * 1024 * 1024)
})
