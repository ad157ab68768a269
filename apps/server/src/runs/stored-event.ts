import { readJson, type SentEvent } from '@dataagent/schema'

/** An event as the log holds it: what was checked when it was written is not checked again. */
export function readStored(json: string): SentEvent {
  return readJson(json, { depthMax: 1_000 }) as unknown as SentEvent
}
