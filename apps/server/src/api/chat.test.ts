import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { keyOf, startTestPlatform } from '../testing/test-platform.ts'

interface Chat {
  session_id: string
  events: { event_type: string; content?: string; seq: number }[]
}

test('POST chat answers when the turn has ended, with its events [D16.1] [D21.1] [D21.2]', async () => {
  await using server = await startTestPlatform()
  const { status, body } = await server.ask<Chat>('POST', '/chat', { json: { message: 'Hello' } })
  expect(status).toBe(200)
  expect(body.session_id).toMatch(/^[\w-]+$/)
  const types = body.events.map(({ event_type }) => event_type)
  expect(types[0]).toBe('user_message')
  expect(types).toContain('text')
  expect(types.at(-1)).toBe('done')
})

test('with stream=true the events come as they are made, as server-sent events', async () => {
  await using server = await startTestPlatform({ script: [{ text: 'Bit by bit.', itl: 5 }] })
  const { status, headers, body } = await server.ask<string>('POST', '/chat?stream=true', {
    json: { message: 'Hello' },
  })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toContain('text/event-stream')
  const frames = body.split('\n\n').filter((frame) => frame.startsWith('id:'))
  expect(frames[0]).toMatch(/^id: 1\nevent: user_message\ndata: \{.*\}$/)
  expect(frames.at(-1)).toContain('event: done')
  const events = frames.map((frame) => JSON.parse(frame.split('data: ')[1] ?? ''))
  const text = events.filter(({ event_type }) => event_type === 'text')
  expect(text.map(({ content }) => content).join('')).toBe('Bit by bit.')
})

test('a message goes to the session that it names; an unknown one is 404 [D16.1]', async () => {
  await using server = await startTestPlatform({ script: ['One.', 'Two.'] })
  const first = await server.ask<Chat>('POST', '/chat', { json: { message: 'Hello' } })
  const { session_id } = first.body
  const json = { message: 'Again', session_id }
  const second = await server.ask<Chat>('POST', '/chat', { json })
  expect(second.body.session_id).toBe(session_id)
  expect(second.body.events[0]?.seq).toBeGreaterThan(first.body.events.at(-1)?.seq ?? 0)
  for (const as of ['bob', 'zoe', 'boss'] as const)
    expect((await server.ask('POST', '/chat', { as, json })).status).toBe(404)
})

test('bad bodies are refused, naming the field [D16.5] [D21.5]', async () => {
  await using server = await startTestPlatform()
  for (const json of [{}, { message: '' }, { message: 'x', sesion_id: 'y' }, { message: 5 }]) {
    const { status, body } = await server.ask('POST', '/chat', { json })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error_code: 'invalid_request', details: expect.anything() })
  }
  const { status, body } = await server.ask('POST', '/chat', {
    headers: { 'content-type': 'application/json' },
    body: '{',
  })
  expect({ status, error_code: body.error_code }).toEqual({
    status: 400,
    error_code: 'parse_error',
  })
})

test('what would ask is refused over plain HTTP, and the answer says which setting [D3.5]', async () => {
  await using server = await startTestPlatform({
    script: [
      {
        toolCalls: [
          { name: 'http_request', arguments: { method: 'POST', url: 'https://example.com' } },
        ],
      },
      'So be it.',
    ],
  })
  const { body } = await server.ask<{ events: Record<string, unknown>[] }>('POST', '/chat', {
    json: { message: 'Post it' },
  })
  const result = body.events.find(({ event_type }) => event_type === 'tool_result')
  expect(result).toMatchObject({ status: 'error' })
  expect(JSON.stringify(result)).toContain('approv')
  expect(body.events.at(-1)).toMatchObject({ event_type: 'done' })
})

test('after a recoverable error the turn can be gone on with [D11.2]', async () => {
  let isOut = true
  await using server = await startTestPlatform({
    script: () => (isOut ? { error: 503, message: 'out of order' } : 'Now it works.'),
  })
  const first = await server.ask<Chat>('POST', '/chat', { json: { message: 'Hello' } })
  expect(first.body.events).toContainEqual(
    expect.objectContaining({ event_type: 'error', recoverable: true }),
  )
  isOut = false
  const path = `/chat/${first.body.session_id}/resume`
  const again = await server.ask<Chat>('POST', path)
  expect(again.status).toBe(200)
  expect(JSON.stringify(again.body.events)).toContain('Now it works.')
  expect((await server.ask('POST', path)).status).toBe(409)
})

test('a request that is sent again after its answer was lost gets the whole turn, once', async () => {
  await using server = await startTestPlatform({
    script: [{ text: 'A slow answer in several words.', itl: 60 }],
  })
  const leaving = new AbortController()
  const headers = { 'idempotency-key': 'lost-1' }
  const json = { message: 'Hello' }
  const first = server.ask('POST', '/chat', { json, headers, signal: leaving.signal })
  await waitFor(() => server.model.active() === 1)
  leaving.abort()
  await expect(first).rejects.toThrow()
  const again = await waitFor(
    async () => {
      const answer = await server.ask<Chat>('POST', '/chat', { json, headers })
      return answer.status === 200 ? answer : undefined
    },
    { timeoutMs: 20_000, what: 'the whole turn' },
  )
  expect(again.body.events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  expect(server.model.requests).toHaveLength(1)
})

test.each(['', '?stream=true'])(
  'a long answer that is asked for again is that of the same turn: /chat%s',
  async (query) => {
    await using server = await startTestPlatform({
      script: [{ text: 'So it was. '.repeat(3_000) }],
    })
    const headers = { 'x-api-key': keyOf('ada'), 'content-type': 'application/json' }
    const ask = async () => {
      const body = JSON.stringify({ message: 'Tell me' })
      const url = `${server.url}/api/v1/chat${query}`
      const keyed = { ...headers, 'idempotency-key': 'long-1' }
      const answer = await fetch(url, { method: 'POST', headers: keyed, body })
      return [answer.status, (await answer.text()).match(/"run_id":"[^"]+"/)?.[0]]
    }
    const first = await ask()
    expect(first).toEqual([200, expect.stringContaining('run_id')])
    expect(await ask()).toEqual(first)
    expect(server.model.requests).toHaveLength(1)
  },
)

test('with no window to come back in, turns of others are left alone [D17.6]', async () => {
  await using server = await startTestPlatform({
    config: { reconnect_window: 0 },
    script: () => ({ text: 'Undisturbed.', itl: 5 }),
  })
  const turns = await Promise.all(
    Array.from({ length: 24 }, () =>
      server.ask<Chat>('POST', '/chat', { json: { message: 'Hello' } }),
    ),
  )
  for (const { status, body } of turns) {
    expect(status).toBe(200)
    expect(body.events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  }
})
