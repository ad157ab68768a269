import { isPlainObject, readJson } from '@dataagent/schema'
import type { FinishReason, ModelDelta, Reasoning } from '../contract.ts'

/**
 * Makes deltas of what a provider sends. `add` and `addWhole` throw AppErrors for what is no answer
 * and for errors that the provider tells inside of it.
 */
export interface AnswerDecoder {
  /** The data of one event. */
  add(data: string, batch: Batch): void
  /** The answer as one JSON text, where the provider did not stream. */
  addWhole(json: string, batch: Batch): void
  /** Nothing more comes: the batch ends with `finish`. Throws where the answer is not whole. */
  end(batch: Batch): void
  /** `whole`: only usage may still follow. `done`: nothing follows. */
  readonly state: 'open' | 'whole' | 'done'
}

/** Deltas that came together. */
export class Batch {
  deltas: ModelDelta[] = []
  #text = ''
  #thought = ''

  get isEmpty(): boolean {
    return this.deltas.length === 0 && this.#text === '' && this.#thought === ''
  }

  text(text: string): void {
    if (this.#thought !== '') this.#flush()
    this.#text += text
  }

  thought(text: string): void {
    if (this.#text !== '') this.#flush()
    this.#thought += text
  }

  seal(reasoning: Reasoning): void {
    this.#flush()
    this.deltas.push({ type: 'reasoning', reasoning })
  }

  add(delta: ModelDelta): void {
    this.#flush()
    this.deltas.push(delta)
  }

  /** All of it; the batch is empty then. */
  take(): ModelDelta[] {
    this.#flush()
    const { deltas } = this
    this.deltas = []
    return deltas
  }

  /** Pieces of one kind in a row are one delta. */
  #flush(): void {
    if (this.#text !== '') this.deltas.push({ type: 'text', text: this.#text })
    if (this.#thought !== '') {
      this.deltas.push({ type: 'reasoning', reasoning: { text: this.#thought } })
    }
    this.#text = ''
    this.#thought = ''
  }
}

export type JsonRecord = Readonly<Record<string, unknown>>

/** Reads an event's data, or a whole answer; what is no object says nothing. */
export function readData(json: string): JsonRecord {
  const value = readJson(json, { what: 'answer of the model' })
  return isPlainObject(value) ? value : nothing
}

export function toRecord(value: unknown): JsonRecord {
  return typeof value === 'object' && value !== null ? (value as JsonRecord) : nothing
}

/** What says nothing. */
export const nothing: JsonRecord = Object.freeze({})

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function toCount(value: unknown): number {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? Math.floor(value) : 0
}

/** The reason to give for an answer with calls, whatever the provider called it. */
export function withCalls(reason: FinishReason, calls: number): FinishReason {
  return calls > 0 && (reason === 'stop' || reason === 'other') ? 'tool_calls' : reason
}
