import { isKnownEvent, type SentEvent, type ToolCallStatus } from '@dataagent/schema'
import type { Item } from './item.ts'
import type { Scene } from './scene.ts'

/** What was lost, doubled or done without leave; all are to be empty. */
export interface Findings {
  lostEvents: string[]
  doubleEffects: string[]
  missingEffects: string[]
  undecidedEffects: string[]
  /** Decisions that the server has acknowledged and that came to nothing. */
  lostDecisions: string[]
  /** Calls over MCP that were answered with anything but their result, or that they were shed. */
  refusedCalls: string[]
}

export const noFindings = (): Findings => ({
  ...{ lostEvents: [], doubleEffects: [], missingEffects: [], undecidedEffects: [] },
  ...{ lostDecisions: [], refusedCalls: [] },
})

/** Holds what clients were told against what is stored and what was done. */
export async function examine(scene: Scene, item: Item, findings: Findings): Promise<void> {
  judgeAnswer(item, findings)
  judgeEffects(item, scene.ledger.effects.get(item.id) ?? 0, findings)
  if (item.session_id !== undefined) {
    judgeEvents(item, await storedEvents(scene, item), findings)
  }
}

/** Holds an item against how often its effect took place. */
export function judgeEffects(item: Item, effects: number, findings: Findings): void {
  if (effects > 1) findings.doubleEffects.push(`${item.id}: ${effects}`)
  if (hasOutcome(item, 'ok') && effects === 0) findings.missingEffects.push(item.id)
  if (item.answer?.status === 'shed' && effects > 0) {
    findings.refusedCalls.push(`${item.id}: shed, and made all the same`)
  }
  if (item.kind !== 'careful') return
  if (item.decided !== 'approve' && effects > 0) {
    findings.undecidedEffects.push(`${item.id}: ${item.wish}`)
  }
  if (item.decided === 'approve' && effects === 0 && !hasOutcome(item, 'unknown_outcome')) {
    findings.lostDecisions.push(`${item.id}: approved, without an effect`)
  }
  if (item.decided === 'reject' && !hasOutcome(item, 'rejected')) {
    findings.lostDecisions.push(`${item.id}: rejected, and not told so`)
  }
  if (item.decided === undefined && item.wish !== 'wait') {
    findings.lostDecisions.push(`${item.id}: ended without the decision to ${item.wish}`)
  }
}

/** A call over MCP has its result, or a kill has cut it off, or a busy server has shed it. */
export function judgeAnswer({ id, kind, answer }: Item, findings: Findings): void {
  if (kind !== 'gateway' || (answer !== undefined && answer.status !== 'refused')) return
  findings.refusedCalls.push(`${id}: ${answer?.said}`)
}

function judgeEvents(item: Item, stored: readonly SentEvent[], findings: Findings): void {
  const byNumber = new Map(stored.map((event) => [event.seq, event]))
  for (const event of item.events) {
    if (!isSame(event, byNumber.get(event.seq))) {
      findings.lostEvents.push(`${item.id}: ${event.seq} ${event.event_type}`)
    }
  }
  const asked = stored.filter(({ event_type }) => event_type === 'user_message')
  if (item.accepted && asked.length !== 1) {
    findings.lostEvents.push(`${item.id}: ${asked.length} messages`)
  }
}

/** Whether its client was told that the call has ended so. */
export function hasOutcome({ kind, events, answer }: Item, outcome: ToolCallStatus): boolean {
  if (kind === 'gateway') return outcome === 'ok' && answer?.status === 'whole'
  // It has no effect that could be counted.
  if (kind === 'local') return false
  return events.some(
    (event) =>
      isKnownEvent(event) && event.event_type === 'tool_result' && event.outcome === outcome,
  )
}

async function storedEvents(scene: Scene, { person, session_id }: Item): Promise<SentEvent[]> {
  const { events } = await scene.clientOf(person).sessions.events(session_id!, { limit: 200 })
  return events
}

/** Texts come in pieces, and some of one may be told anew: what counts is that it is there. */
function isSame(seen: SentEvent, stored: SentEvent | undefined): boolean {
  if (stored === undefined || seen.event_type !== stored.event_type) return false
  return seen.event_type === 'text' || JSON.stringify(seen) === JSON.stringify(stored)
}
