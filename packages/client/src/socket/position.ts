import {
  type Logged,
  type ResumePoint,
  restAfter,
  type SentEvent,
  type TextEvent,
  toResumePoint,
} from '@dataagent/schema'

export type Taken =
  | { status: 'new'; event: SentEvent }
  /** Had already. */
  | { status: 'old' }
  /** Something between the point and this event is missing. */
  | { status: 'gap' }

/** How far a client has come in a session's log. */
export interface Position {
  readonly point: ResumePoint
  /** What of the event is new; the position moves behind it. */
  take(event: SentEvent): Taken
}

export function createPosition(after: ResumePoint): Position {
  let point = after
  /** The `seq` whose end mark was handed out. */
  let finalAt = 0

  function isGap(event: SentEvent): boolean {
    const from = 'offset' in event ? event.offset : 0
    if (event.seq === point.seq) return from > point.offset
    return event.seq > point.seq + 1 || from > 0
  }

  /** A text that is known whole comes again, empty, for its end mark. */
  function isNews(rest: SentEvent): boolean {
    if (rest.seq > point.seq || !isText(rest) || rest.content !== '') return true
    return rest.is_final && finalAt !== rest.seq
  }

  return {
    get point() {
      return point
    },
    take(event) {
      const rest = restAfter(event, point)
      if (!rest) return { status: 'old' }
      if (isGap(event)) return { status: 'gap' }
      if (!isNews(rest)) return { status: 'old' }
      point = toResumePoint(rest)
      if (isText(rest) && rest.is_final) finalAt = rest.seq
      return { status: 'new', event: rest }
    },
  }
}

function isText(event: SentEvent): event is Logged<TextEvent> {
  return event.event_type === 'text'
}
