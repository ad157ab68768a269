import { expect, test } from 'vitest'
import type { SessionStores } from './contract.ts'
import { createMemorySessionStore } from './memory-session-store.ts'
import { describeSessionStores, stored } from './test-session-stores.ts'
import { createTurnSaver } from './turn-saver.ts'

const event = (event_type: string, fields: Record<string, unknown> = {}) => ({
  kind: event_type,
  json: JSON.stringify({ event_type, timestamp: 7, ...fields }),
})
const said = (content: string, more = {}) => event('text', { content, is_final: false, ...more })
const asked = (content: string) => event('user_message', { message_id: 'same', content })
const called = event('tool_call', { tool_name: 't', tool_args: {}, tool_call_id: 'c' })
const done = event('done', { cancelled: false })
const page = { limit: 100, offset: 0 }

const saverOf = ({ events, messages }: SessionStores) => createTurnSaver({ log: events, messages })
const history = async (stores: SessionStores, session_id: string) =>
  (await stores.messages.list(session_id, page)).map(({ seq, role, content }) => [
    ...[seq, role, content],
  ])

await describeSessionStores('saved turns', (subject) => {
  test("a finished turn is the user's message and the agent's [D26.1]", async () => {
    const { stores, other } = subject()
    const session_id = await stored(stores)
    const saver = saverOf(stores)
    await stores.events.append(session_id, [asked('how many?'), said('Let me '), said('look.')])
    expect(await saver.save(session_id)).toBe(0)
    await stores.events.append(session_id, [called, said('Wrong'), said('7.', { restarts: true })])
    await stores.events.append(session_id, [
      said('of a helper', { parent_tool_call_id: 'c' }),
      done,
    ])
    expect(await saver.save(session_id)).toBe(2)
    expect(await saver.save(session_id)).toBe(0)
    const turn = [
      [1, 'user', 'how many?'],
      [8, 'assistant', 'Let me look.\n\n7.'],
    ]
    expect(await history(other, session_id)).toEqual(turn)
    await stores.events.append(session_id, [asked('and now?'), said('8.'), done])
    expect(await saver.save(session_id)).toBe(2)
    expect(await history(other, session_id)).toEqual([
      ...turn,
      [9, 'user', 'and now?'],
      [11, 'assistant', '8.'],
    ])
  })

  test('one that another process left is saved by the next, once, whoever saves', async () => {
    const { stores, other } = subject()
    const session_id = await stored(stores)
    for (let n = 1; n <= 3; n += 1) {
      await stores.events.append(session_id, [asked(`q${n}`), said(`a${n}`), done])
    }
    await stores.events.append(session_id, [asked('under way'), said('not yet')])
    const savers = Array.from({ length: 6 }, (_, n) => saverOf(n % 2 ? stores : other))
    const counts = await Promise.all(savers.map((saver) => saver.save(session_id)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(6)
    expect(await history(stores, session_id)).toEqual([
      ...[1, 2, 3].flatMap((n) => [
        [3 * n - 2, 'user', `q${n}`],
        [3 * n, 'assistant', `a${n}`],
      ]),
    ])
  })

  test('a turn in which nothing was said, and one that was tried again, are as they were', async () => {
    const { stores, other } = subject()
    const session_id = await stored(stores)
    const failed = event('error', { error: 'no model', recoverable: true })
    await stores.events.append(session_id, [asked('hello?'), failed, done])
    await saverOf(stores).save(session_id)
    await stores.events.append(session_id, [said('Hello.'), done])
    await saverOf(other).save(session_id)
    expect(await history(stores, session_id)).toEqual([
      [1, 'user', 'hello?'],
      [5, 'assistant', 'Hello.'],
    ])
  })
})

test('a save that failed is made up for by the next', async () => {
  const stores = createMemorySessionStore()
  const session_id = await stored(stores)
  let isAway = true
  const add: SessionStores['messages']['add'] = async (messages) => {
    if (isAway) throw new Error('away')
    await stores.messages.add(messages)
  }
  const saver = createTurnSaver({ log: stores.events, messages: { ...stores.messages, add } })
  await stores.events.append(session_id, [asked('1'), said('one'), done])
  await expect(saver.save(session_id)).rejects.toThrow('away')
  await stores.events.append(session_id, [asked('2'), said('two'), done])
  isAway = false
  expect(await saver.save(session_id)).toBe(4)
})

test('more turns than a page of the log are all saved', async () => {
  const stores = createMemorySessionStore()
  const session_id = await stored(stores)
  const turns = Array.from({ length: 700 }, (_, n) => [asked(`q${n}`), said(`a${n}`), done])
  await stores.events.append(session_id, turns.flat())
  expect(await saverOf(stores).save(session_id)).toBe(1_400)
  expect(await stores.messages.count(session_id)).toBe(1_400)
})
