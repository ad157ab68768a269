import { createClient } from '@dataagent/client'
import type { SentEvent } from '@dataagent/schema'
import { longCount, startFaultProxy, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { keyOf } from '../testing/test-platform.ts'
import { assertExact } from '../testing/test-turns.ts'
import { startWorkers } from '../testing/test-workers.ts'

const cuts = longCount(200, 10_000)

test(`after ${cuts} cuts of its socket, anywhere, one has the exact events of the session [D17.4] [F25]`, {
  timeout: longCount(240_000, 3_600_000),
}, async () => {
  await using server = await startWorkers({
    script: () => ({ text: 'Some words, one after the other. '.repeat(10), itl: 3 }),
    env: { DATAAGENT_RECONNECT_WINDOW: '600' },
  })
  await using proxy = await startFaultProxy({ target: server.url })
  const client = createClient({
    baseUrl: proxy.url,
    apiKey: keyOf('ada'),
  })
  const { session_id } = await server.clientOf('ada').sessions.create({})
  const events: SentEvent[] = []
  using socket = client.connect(session_id, {
    backoff: { firstMs: 5, maxMs: 50 },
    onEvent: (event) => events.push(event),
  })
  let sent = 0
  const ended = () => events.filter(({ event_type }) => event_type === 'done').length
  for (let cut = 0; cut < cuts; cut += 1) {
    if (ended() === sent) {
      socket.send(`Message ${sent}`)
      sent += 1
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 80))
    await proxy.set({ kind: 'reset' }, 'open')
  }
  await waitFor(() => ended() === sent, { timeoutMs: 60_000, what: 'the end of all turns' })
  assertExact(events)
  const said = events.filter(({ event_type }) => event_type === 'user_message')
  expect(said).toHaveLength(sent)
  const page = await server.clientOf('ada').sessions.events(session_id, { limit: 1 })
  expect(events.at(-1)?.seq).toBe(page.head)
})
