import type { ExecutionEvent } from '@dataagent/schema'
import { waitFor } from '@dataagent/testkit'
import type { RunEvent } from '../engine/index.ts'
import { of } from '../engine/test-engine.ts'

type Kind = ExecutionEvent['event_type']
type Of<K extends Kind> = Extract<ExecutionEvent, { event_type: K }>

/** A run that is read while the test does something else. */
export interface Following {
  /** What has come so far. */
  readonly events: readonly RunEvent[]
  /** Waits until `count` events of a kind have come, and gives them. */
  until<K extends Kind>(kind: K, count?: number): Promise<Of<K>[]>
  /** All of it, once it has ended. */
  readonly ended: Promise<readonly RunEvent[]>
}

export function follow(run: AsyncIterable<RunEvent>): Following {
  const events: RunEvent[] = []
  async function read(): Promise<readonly RunEvent[]> {
    for await (const event of run) events.push(event)
    return events
  }
  return {
    events,
    until: (kind, count = 1) =>
      waitFor(() => (of(events, kind).length < count ? undefined : of(events, kind)), {
        what: `${count} events of the kind ${kind}`,
        timeoutMs: 10_000,
      }),
    ended: read(),
  }
}
