import { type ChatSocket, createClient } from '@dataagent/client'
import { isKnownEvent, type SentEvent, type ToolCallStatus } from '@dataagent/schema'
import { type RecordedRequest, toolRounds } from '@dataagent/testkit'
import type { Ledger } from '../kills/ledger.ts'
import type { Person } from './people.ts'

/** A run that its node does not see the end of, with the effects that it is to have once each. */
export interface CutRun extends Disposable {
  kind: 'story' | 'call'
  effects: readonly string[]
  /** As its reader has them, by way of the balancer, and when they came. */
  events: readonly SentEvent[]
  times: readonly number[]
}

const story = 'Once upon a time. '.repeat(60)
const end = 'The end.'

/**
 * What the model says to the message of a run: a story between two calls that have an effect; or a
 * call that has its effect and no answer, for which there is nothing but the end to tell.
 */
export function replyToRun(message: string, request: RecordedRequest) {
  const [kind, id] = message.split(' ')
  const toCall = (tool: string, effect: string | undefined) => ({
    toolCalls: [{ name: `ledger--${tool}`, arguments: { id: effect } }],
  })
  const replies =
    kind === 'story'
      ? [toCall('record', `${id}-1`), { text: story, itl: 20, ...toCall('record', `${id}-2`) }, end]
      : [toCall('linger', id), end]
  return replies[toolRounds(request)] ?? end
}

export function textOfRun({ kind }: CutRun): string {
  return kind === 'story' ? story + end : end
}

/** The message goes to the node that is to die; what follows is read by way of the balancer. */
export async function startRun(needs: {
  node: string
  balancer: string
  person: Person
  kind: CutRun['kind']
  id: string
}): Promise<CutRun> {
  const { node, balancer, person, kind, id } = needs
  const clientAt = (baseUrl: string) => createClient({ baseUrl, apiKey: person.key })
  const { session_id } = await clientAt(node).sessions.create({})
  const sender = clientAt(node).connect(session_id)
  await sender.send(`${kind} ${id}`).accepted
  const events: SentEvent[] = []
  const times: number[] = []
  const reader: ChatSocket = clientAt(balancer).connect(session_id, {
    backoff: { firstMs: 50, maxMs: 500 },
    onEvent(event) {
      events.push(event)
      times.push(performance.now())
    },
  })
  return {
    ...{ kind, events, times },
    effects: kind === 'story' ? [`${id}-1`, `${id}-2`] : [id],
    [Symbol.dispose]() {
      sender[Symbol.dispose]()
      reader[Symbol.dispose]()
    },
  }
}

/** It has had an effect, and is in the midst of its story or of its call. */
export function hasBegun({ kind, effects, events }: CutRun, ledger: Ledger): boolean {
  if (kind === 'call') return ledger.effects.has(effects[0]!)
  return events.some(({ event_type }) => event_type === 'text')
}

export function isDone({ events }: CutRun): boolean {
  return events.at(-1)?.event_type === 'done'
}

/** What is told of its calls, in their order. */
export function outcomesOf({ events }: CutRun): (ToolCallStatus | undefined)[] {
  return events
    .filter(isKnownEvent)
    .flatMap((event) => (event.event_type === 'tool_result' ? [event.outcome] : []))
}
