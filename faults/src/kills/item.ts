import { setTimeout as delay } from 'node:timers/promises'
import type { ChatSocket } from '@dataagent/client'
import { type Approval, isKnownEvent, type SentEvent } from '@dataagent/schema'
import { waitFor } from '@dataagent/testkit'
import type { Person } from '../nodes/people.ts'
import type { Scene } from './scene.ts'

export type Wish = 'approve' | 'reject' | 'wait'

/** Something that was asked of the server, and what came of it as far as its client knows. */
export interface Item {
  id: string
  kind: 'record' | 'careful' | 'local' | 'gateway'
  /** What its approver decides; `wait`: nothing. */
  wish?: Wish
  /** The decision that the server has acknowledged as its approver's; none that came otherwise. */
  decided?: Wish
  person: Person
  session_id?: string
  /** The server has said that it has the message. */
  accepted: boolean
  events: SentEvent[]
  /** Of a call over MCP: how it ended for its client. */
  answer?: Answer
  settled: Promise<void>
  /** Ends what waits for a person. */
  cancel(): void
}

/**
 * Of what was cut off the client knows nothing: it may have had its effect. What was shed, as the
 * server had too much to do, has had none.
 */
export type Answer = { status: 'whole' | 'cut' | 'shed' } | { status: 'refused'; said: string }

const backoff = { firstMs: 50, maxMs: 300 }
const patienceMs = 90_000

/** A message that leads to one call of `kind`. */
export function say(scene: Scene, person: Person, asked: Pick<Item, 'id' | 'kind' | 'wish'>): Item {
  let socket: ChatSocket | undefined
  const item: Item = {
    ...{ ...asked, person, accepted: false, events: [] },
    settled: Promise.resolve(),
    cancel: () => socket?.cancel(),
  }
  const client = scene.clientOf(person)

  async function work(): Promise<void> {
    const { session_id } = await untilServed(() => client.sessions.create({}))
    item.session_id = session_id
    const ended = Promise.withResolvers<void>()
    const decisions: Promise<void>[] = []
    using chat = client.connect(session_id, {
      backoff,
      onEvent(event) {
        item.events.push(event)
        if (!isKnownEvent(event)) return
        if (event.event_type === 'done') ended.resolve()
        if (event.event_type !== 'hitl_request') return
        const decision = decide(event)
        decision.catch(ended.reject)
        decisions.push(decision)
      },
      onState(state) {
        if (state.status === 'closed') ended.reject(new Error(`${item.id}: ${state.reason}`))
      },
    })
    socket = chat
    await chat.send(`${item.kind} ${item.id}`).accepted
    item.accepted = true
    await ended.promise
    // The end may be known before the answer to the decision, which may have to be asked for anew.
    await Promise.all(decisions)
  }

  async function decide({ approval_id }: { approval_id: string }): Promise<void> {
    const { wish = 'wait' } = item
    if (wish === 'wait' || item.decided !== undefined) return
    await delay(Math.random() * 1_500)
    const approval = await untilServed(async () => {
      const found = await client.approvals.get(approval_id)
      if (found.status !== 'pending') return found
      return client.approvals.decide(approval_id, { type: wish })
    })
    const told = acknowledged(approval)
    if (told !== undefined) item.decided = told
  }

  item.settled = withPatience(work(), item)
  item.settled.catch(() => {})
  return item
}

/** What a person has decided: not what expiry or the end of a run has. */
export function acknowledged(approval: Approval): Wish | undefined {
  if (approval.status !== 'decided' || approval.via !== 'person') return undefined
  return approval.decision.type
}

/** A call of `record` by an MCP client, sent once. */
export function callByMcp(scene: Scene, person: Person, id: string): Item {
  const item: Item = {
    ...{ id, kind: 'gateway', person, accepted: false, events: [] },
    settled: Promise.resolve(),
    cancel: () => {},
  }
  item.settled = askGateway(scene, id).then((answer) => {
    item.answer = answer
  })
  return item
}

async function askGateway({ server, groupKey }: Scene, id: string): Promise<Answer> {
  const params = { name: 'ledger--record', arguments: { id } }
  try {
    const answer = await fetch(`${server.url}/mcp/g/ledger`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${groupKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      signal: AbortSignal.timeout(patienceMs),
    })
    const said = await answer.text()
    if (said.includes(`Entered ${id}.`)) return { status: 'whole' }
    if (isShed(answer.status, said)) return { status: 'shed' }
    return { status: 'refused', said: `${answer.status} ${said.slice(0, 300)}` }
  } catch (error) {
    const { name, message } = error as Error
    return name === 'TimeoutError' ? { status: 'refused', said: message } : { status: 'cut' }
  }
}

/** Whether the server has refused it as more than it can do in time, and for no other reason. */
export function isShed(status: number, said: string): boolean {
  return status === 503 && said.includes('The server has more to do than it can do in time.')
}

/** Asks again until a server answers: one that was killed meanwhile is not an answer. */
async function untilServed<T>(ask: () => Promise<T>): Promise<T> {
  let failure: unknown
  const told = await waitFor(
    async () => {
      try {
        return { answer: await ask() }
      } catch (error) {
        failure = error
        return undefined
      }
    },
    { timeoutMs: patienceMs, intervalMs: 100, what: 'an answer' },
  ).catch(() => undefined)
  if (told === undefined) throw failure
  return told.answer
}

async function withPatience(work: Promise<void>, { id, events }: Item): Promise<void> {
  const late = AbortSignal.timeout(patienceMs)
  const given = Promise.withResolvers<never>()
  late.addEventListener('abort', () => {
    const seen = events.map(({ event_type }) => event_type).join(', ')
    given.reject(new Error(`${id} has not ended: ${seen}`))
  })
  await Promise.race([work, given.promise])
}
