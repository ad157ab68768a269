import type { NewChange } from '@dataagent/hub'

export interface Page {
  limit: number
  offset: number
}

/** A change with the note of it, which is stored in the same transaction. */
export interface Noted {
  note?: NewChange | undefined
}

/** As `Noted`, of one more: `quota_exceeded` where there are `max` already. */
export interface NotedWithin extends Noted {
  max?: number | undefined
}
