import type { NewChange } from '@dataagent/hub'

export interface Page {
  limit: number
  offset: number
}

/** A change with the note of it, which is stored in the same transaction. */
export interface Noted {
  note?: NewChange | undefined
}
