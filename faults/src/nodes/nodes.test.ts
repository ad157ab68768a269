import { createClient } from '@dataagent/client'
import { isKnownEvent, type SentEvent } from '@dataagent/schema'
import { assertExact } from '@dataagent/server/src/testing/test-turns.ts'
import {
  canStartService,
  lastUserText,
  longCount,
  type ModelStandIn,
  type RecordedRequest,
  startModelStandIn,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePeople, toApiKeys } from './people.ts'
import { type Nodes, startNodes } from './start-nodes.ts'
import { startLoad } from './test-load.ts'

const restarts = longCount(2, 100)
const runsAtOnce = longCount(4, 20)
const people = makePeople({ users: 6 })
const story = { text: 'Once upon a time. '.repeat(60), itl: 20 }

function byMessage(request: RecordedRequest) {
  const message = lastUserText(request)
  return message.startsWith('Tell me') ? story : `You said: ${message}`
}

const databases = longCount(1, 2) === 1 ? (['postgres'] as const) : (['mysql', 'postgres'] as const)
const here = (await canStartService('redis')) ? databases : []

describe.each(here)('two nodes on %s', (database) => {
  const cleanup = new AsyncDisposableStack()
  let model: ModelStandIn
  let nodes: Nodes
  beforeAll(async () => {
    model = cleanup.use(await startModelStandIn({ script: byMessage, recordLimit: 0 }))
    nodes = cleanup.use(
      await startNodes({
        database,
        env: {
          DATAAGENT_API_KEYS: toApiKeys(people),
          DATAAGENT_MODEL: 'openai:standin',
          OPENAI_BASE_URL: `${model.url}/v1`,
          OPENAI_API_KEY: model.apiKey,
        },
      }),
    )
  })
  afterAll(() => cleanup.disposeAsync())

  const clientAt = (baseUrl: string, person = people[0]!) =>
    createClient({ baseUrl, apiKey: person.key })

  test('what is done at one is there at the other', async () => {
    const [one, other] = nodes.nodes.map(({ url }) => clientAt(url))
    const { session_id } = await one!.sessions.create({ title: 'Both' })
    const turn = await one!.chat.send({ session_id, message: 'Hello' })
    expect(turn.events.at(-1)).toMatchObject({ event_type: 'done' })
    const { messages } = await other!.sessions.messages(session_id)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  test(`${restarts} rolling restarts under load fail no request [F28]`, {
    timeout: 60_000 + restarts * 20_000,
  }, async () => {
    const load = startLoad({ url: nodes.url, people })
    await waitFor(() => load.turns >= people.length, { timeoutMs: 30_000 })
    for (let done = 0; done < restarts; done += 1) {
      const before = load.turns
      await nodes.restart(nodes.nodes[done % nodes.nodes.length]!)
      expect(load.turns).toBeGreaterThan(before)
    }
    await load[Symbol.asyncDispose]()
    expect(load.failures).toEqual([])
    expect(nodes.balancer.refused).toBe(0)
  })

  test(`of a killed node ${runsAtOnce} runs are gone on with by the other within 10 s, each once [F27]`, {
    timeout: 120_000,
  }, async () => {
    const [first] = nodes.nodes
    const runs = await Promise.all(
      Array.from({ length: runsAtOnce }, async (_, at) => {
        const person = people[at % people.length]!
        const { session_id } = await clientAt(first!.url, person).sessions.create({})
        // The message goes to the node that is to die; what follows is read by way of the balancer.
        const sender = clientAt(first!.url, person).connect(session_id)
        await sender.send('Tell me a story').accepted
        const events: SentEvent[] = []
        const times: number[] = []
        const reader = clientAt(nodes.url, person).connect(session_id, {
          backoff: { firstMs: 50, maxMs: 500 },
          onEvent(event) {
            events.push(event)
            times.push(performance.now())
          },
        })
        return { sender, reader, events, times }
      }),
    )
    using sockets = new DisposableStack()
    for (const { sender, reader } of runs) {
      sockets.use(sender)
      sockets.use(reader)
    }
    const isTelling = ({ events }: { events: SentEvent[] }) =>
      events.some(({ event_type }) => event_type === 'text')
    await waitFor(() => runs.every(isTelling), { timeoutMs: 30_000, what: 'stories that began' })
    const killed = performance.now()
    await nodes.kill(first!)
    const isDone = ({ events }: { events: SentEvent[] }) => events.at(-1)?.event_type === 'done'
    await waitFor(() => runs.every(isDone), { timeoutMs: 60_000, what: 'all runs at their end' })

    const waits = runs.map(({ times }) => times.find((at) => at > killed + 500)! - killed)
    for (const { events } of runs) {
      assertExact(events)
      expect(events.filter(({ event_type }) => event_type === 'done')).toHaveLength(1)
      expect(textOf(events)).toBe(story.text)
    }
    // Deadline of the promise, with room for a busy machine.
    expect(Math.max(...waits)).toBeLessThan(20_000)
    process.stdout.write(`picked up after ${waits.map((ms) => Math.round(ms)).join(', ')} ms\n`)
    await nodes.revive(first!)
  })
})

/** What a reader has in the end. */
function textOf(events: readonly SentEvent[]): string {
  return events.filter(isKnownEvent).reduce((text, event) => {
    if (event.event_type !== 'text') return text
    return event.restarts ? event.content : text + event.content
  }, '')
}
