import { createClient } from '@dataagent/client'
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
import { keepLongRun } from '../figures/results.ts'
import { type Ledger, startLedger } from '../kills/ledger.ts'
import { openDoor } from '../tenants/door.ts'
import { startUpstream } from '../tenants/upstream.ts'
import { makePeople, toApiKeys } from './people.ts'
import { type Nodes, startNodes } from './start-nodes.ts'
import { hasBegun, isDone, outcomesOf, replyToRun, startRun, textOfRun } from './test-runs.ts'
import { startTraffic } from './test-traffic.ts'
import { atLength, type GatewayDoor, textOf, type Way } from './test-ways.ts'

const rounds = chosenCount('TEST_RESTARTS', 2, 100)
const runsAtOnce = longCount(4, 20)
/** The promise; a machine that does all other tests meanwhile is given more. */
const pickedUpWithinS = longCount(20, 10)
const people = makePeople({ users: 6 })
const asking: Way[] = ['list', 'turn', 'stream', 'socket', 'call', 'call']

function byMessage(request: RecordedRequest) {
  const message = lastUserText(request)
  if (/^(?:story|call) /.test(message)) return replyToRun(message, request)
  const answer = `You said: ${message}`
  return message.startsWith(atLength) ? { text: answer + ' and so on'.repeat(15), itl: 20 } : answer
}

const databases = longCount(1, 2) === 1 ? (['postgres'] as const) : (['mysql', 'postgres'] as const)
const here = (await canStartService('redis')) ? databases : []

describe.each(here)('two nodes on %s', (database) => {
  const cleanup = new AsyncDisposableStack()
  let model: ModelStandIn
  let nodes: Nodes
  let door: GatewayDoor
  let ledger: Ledger
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
    ledger = cleanup.use(await startLedger())
    await clientAt(nodes.url).servers.create({
      config: { name: 'ledger', url: ledger.url, toolApproval: { '*': 'allow' } },
    })
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

  test(`${rounds} rolling restarts of both nodes fail no request of people over HTTP, streams and sockets, nor of MCP clients [F28]`, {
    timeout: 60_000 + rounds * 40_000,
  }, async () => {
    const began = performance.now()
    await using traffic = startTraffic({ url: nodes.url, people, asking, door })
    const isMoreThan = (before: Readonly<Record<Way, number>>) =>
      asking.every((way) => traffic.answered[way] > before[way])
    for (let round = 0; round < rounds; round += 1) {
      for (const node of nodes.nodes) {
        const before = { ...traffic.answered }
        await nodes.restart(node)
        await waitFor(() => isMoreThan(before), { timeoutMs: 60_000, what: 'answers in every way' })
      }
    }
    await traffic[Symbol.asyncDispose]()
    const seconds = (performance.now() - began) / 1_000
    const { answered, failures } = traffic
    const requests = Object.values(answered).reduce((sum, count) => sum + count, failures.length)
    const figures = {
      ...{ database, rounds, nodes: nodes.nodes.length, requests, answered },
      requestsPerSecond: Math.round((requests / seconds) * 10) / 10,
      ...{ failed: failures.length, refused: nodes.balancer.refused },
    }
    console.info(JSON.stringify(figures))
    await keepLongRun(`restarts-${database}`, figures)
    expect(failures).toEqual([])
    expect(nodes.balancer.refused).toBe(0)
  })

  test(`of a killed node ${runsAtOnce} runs are gone on with by the other within ${pickedUpWithinS} s, each once, and no effect of theirs takes place twice [F27]`, {
    timeout: 120_000,
  }, async () => {
    const [first] = nodes.nodes
    using cleanup = new DisposableStack()
    const runs = await Promise.all(
      Array.from({ length: runsAtOnce }, (_, at) =>
        startRun({
          ...{ node: first!.url, balancer: nodes.url, person: people[at % people.length]! },
          ...{ kind: at % 2 === 0 ? 'story' : 'call', id: `${database}-${at}` },
        }),
      ),
    )
    for (const run of runs) cleanup.use(run)
    const haveBegun = () => runs.every((run) => hasBegun(run, ledger))
    await waitFor(haveBegun, { timeoutMs: 60_000, what: 'stories and calls that began' })
    const cut = runs.filter((run) => !isDone(run)).length
    const killed = performance.now()
    await nodes.kill(first!)
    await waitFor(() => runs.every(isDone), { timeoutMs: 60_000, what: 'all runs at their end' })

    const waits = runs.map(({ times }) => times.find((at) => at > killed + 500)! - killed)
    const seconds = waits.map((ms) => Math.round(ms / 100) / 10)
    const count = (id: string) => ledger.effects.get(id) ?? 0
    const twice = runs.flatMap(({ effects }) => effects).filter((id) => count(id) > 1)
    const unknown = runs.filter((run) => outcomesOf(run).includes('unknown_outcome'))
    const figures = {
      ...{ database, nodes: nodes.nodes.length, runs: runs.length, cut },
      pickedUpAfterS: { each: seconds, most: Math.max(...seconds) },
      ...{ unknownOutcomes: unknown.length, effectsTwice: twice.length },
    }
    console.info(JSON.stringify(figures))
    await keepLongRun(`killed-node-${database}`, figures)
    expect(twice).toEqual([])
    for (const run of runs) {
      assertExact(run.events)
      expect(run.events.filter(({ event_type }) => event_type === 'done')).toHaveLength(1)
      expect(textOf(run.events)).toBe(textOfRun(run))
      // Whether a call was answered that the kill cut off is not known: that is told.
      if (run.kind === 'call') expect(outcomesOf(run)).toEqual(['unknown_outcome'])
      if (!unknown.includes(run)) expect(run.effects.map(count)).toEqual([1, 1])
      else expect(count(run.effects[0]!)).toBe(1)
    }
    expect(Math.max(...waits)).toBeLessThan(pickedUpWithinS * 1_000)
    await nodes.revive(first!)
  })
})
