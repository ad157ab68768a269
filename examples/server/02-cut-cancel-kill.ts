// What a client sees when the line is cut, a turn is cancelled, and the server dies: every event
// once.
import assert from 'node:assert/strict'
import type { ChatSocket } from '@dataagent/client'
import { isKnownEvent, type SentEvent } from '@dataagent/schema'
import { startModelStandIn } from '@dataagent/testkit'
import { openServer } from './open-server.ts'

const tale = Array.from({ length: 80 }, (_, at) => `Sheep ${at + 1} jumps. `).join('')

/** A model that takes its time: 10 ms a word. */
await using model = await startModelStandIn({ script: () => ({ text: tale, itl: 10 }) })
await using server = await openServer({
  env: {
    DATAAGENT_MODEL: 'openai:standin',
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: model.apiKey,
  },
})

/** The platform's own socket, whose line can be cut from here. */
let line: WebSocket | undefined
const CutWebSocket = new Proxy(WebSocket, {
  construct(Socket, [url]) {
    line = new Socket(url)
    return line
  },
})
const ada = server.clientOf('ada', { WebSocket: CutWebSocket })

// The line is cut three times. The socket comes back by itself, at the letter where it was.
{
  const { session_id } = await ada.sessions.create()
  using socket = ada.connect(session_id)
  socket.send('Tell me of sheep')
  let cuts = 0
  const events = await readTurn(socket, (events) => {
    if (cuts < 3 && toText(events).length > 200 * (cuts + 1)) {
      cuts += 1
      line?.close()
    }
  })
  console.log(`${cuts} cuts, ${events.length} events`)
  assert.equal(cuts, 3)
  assert.equal(toText(events), tale)
}

// Cancelled: the turn ends within a second, with `done`, and the next one is an ordinary one.
{
  const { session_id } = await ada.sessions.create()
  using socket = ada.connect(session_id)
  socket.send('Tell me of sheep')
  let askedAt = 0
  const events = await readTurn(socket, (events) => {
    if (askedAt > 0 || toText(events) === '') return
    askedAt = performance.now()
    socket.cancel()
  })
  console.log(`ended ${Math.round(performance.now() - askedAt)} ms after the cancel`)
  const done = events.filter(isKnownEvent).find((event) => event.event_type === 'done')
  assert.equal(done?.cancelled, true)
  assert(toText(events).length < tale.length)
}

// Killed: what was said is in the log. The next process goes on with the run, by asking the model
// again; a text that was cut off begins anew.
{
  const { session_id } = await ada.sessions.create()
  using socket = ada.connect(session_id)
  socket.send('Tell me of sheep')
  let killed: Promise<void> | undefined
  const events = await readTurn(socket, (events) => {
    if (toText(events).length > 200) killed ??= server.killAndStart()
  })
  await killed
  assert.equal(toText(events), tale)
  assert.equal(events.filter(({ event_type }) => event_type === 'user_message').length, 1)
  assert.equal(events.filter(({ event_type }) => event_type === 'done').length, 1)
}

/** The events of a socket up to the end of the turn; `look` sees each with those before it. */
async function readTurn(socket: ChatSocket, look: (events: readonly SentEvent[]) => void) {
  const events: SentEvent[] = []
  for await (const event of socket) {
    events.push(event)
    look(events)
    if (event.event_type === 'done') break
  }
  return events
}

/** What was said: a text that `restarts` voids what came of the reply before. */
function toText(events: readonly SentEvent[]): string {
  let text = ''
  for (const event of events.filter(isKnownEvent)) {
    if (event.event_type !== 'text') continue
    text = event.restarts ? event.content : text + event.content
  }
  return text
}
