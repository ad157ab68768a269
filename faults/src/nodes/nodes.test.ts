import { createClient } from '@dataagent/client'
import type { SentEvent } from '@dataagent/schema'
import { assertExact } from '@dataagent/server/src/testing/test-turns.ts'
import {
  canStartService,
  chosenCount,
  lastUserText,
  longCount,
  type ModelStandIn,
  type RecordedRequest,
  startModelStandIn,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDoor } from '../tenants/door.ts'
import { startUpstream } from '../tenants/upstream.ts'
import { makePeople, toApiKeys } from './people.ts'
import { type Nodes, startNodes } from './start-nodes.ts'
import { startTraffic } from './test-traffic.ts'
import { atLength, type GatewayDoor, textOf, type Way } from './test-ways.ts'

const restarts = chosenCount('TEST_RESTARTS', 2, 100)
const runsAtOnce = longCount(4, 20)
/** The promise; a machine that does all other tests meanwhile is given more. */
const pickedUpWithinS = longCount(20, 10)
const people = makePeople({ users: 6 })
const story = { text: 'Once upon a time. '.repeat(60), itl: 20 }

function byMessage(request: RecordedRequest) {
  const message = lastUserText(request)
  if (message.startsWith('Tell me')) return story
  const answer = `You said: ${message}`
  return message.startsWith(atLength) ? { text: answer + ' and so on'.repeat(15), itl: 20 } : answer
}

const loads: { who: string; asking: Way[] }[] = [
  { who: 'people over HTTP, streams and sockets', asking: ['list', 'turn', 'stream', 'socket'] },
  { who: 'MCP clients', asking: ['call'] },
]

const databases = longCount(1, 2) === 1 ? (['postgres'] as const) : (['mysql', 'postgres'] as const)
const here = (await canStartService('redis')) ? databases : []

describe.each(here)('two nodes on %s', (database) => {
  const cleanup = new AsyncDisposableStack()
  let model: ModelStandIn
  let nodes: Nodes
  let door: GatewayDoor
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
          DATAAGENT_ALLOWED_ADDRESSES: '127.0.0.1',
          MCP_RL_ENABLED: 'false',
        },
      }),
    )
    const upstream = cleanup.use(await startUpstream({ tenants: 1, faultPercent: 0 }))
    const [person] = people
    const opened = await openDoor({ url: nodes.url, person: person!, upstream, tenant: 0 })
    door = { ...opened, canary: upstream.canaryOf(0) }
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

  test.each(loads)(
    `${restarts} rolling restarts fail no request of $who [F28]`,
    {
      timeout: 60_000 + restarts * 20_000,
    },
    async ({ asking }) => {
      await using traffic = startTraffic({ url: nodes.url, people, asking, door })
      const isMoreThan = (before: Readonly<Record<Way, number>>) =>
        asking.every((way) => traffic.answered[way] > before[way])
      for (let done = 0; done < restarts; done += 1) {
        const before = { ...traffic.answered }
        await nodes.restart(nodes.nodes[done % nodes.nodes.length]!)
        await waitFor(() => isMoreThan(before), { timeoutMs: 60_000, what: 'answers in every way' })
      }
      await traffic[Symbol.asyncDispose]()
      process.stdout.write(`${JSON.stringify(traffic.answered)}\n`)
      expect(traffic.failures).toEqual([])
      expect(nodes.balancer.refused).toBe(0)
    },
  )

  test(`of a killed node ${runsAtOnce} runs are gone on with by the other within ${pickedUpWithinS} s, each once [F27]`, {
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
    expect(Math.max(...waits)).toBeLessThan(pickedUpWithinS * 1_000)
    process.stdout.write(`picked up after ${waits.map((ms) => Math.round(ms)).join(', ')} ms\n`)
    await nodes.revive(first!)
  })
})
