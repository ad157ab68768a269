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
  /** Nothing more comes. Throws where the answer is not whole, else the batch ends with `finish`. */
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

/** Reads an event's data. Events that were run together by a lost blank line are read one by one. */
export function readEvent(data: string, take: (value: JsonRecord) => void): void {
  for (const value of readValues(data)) if (isPlainObject(value)) take(value)
}

function readValues(data: string): unknown[] {
  try {
    return [readJson(data, { what })]
  } catch (error) {
    if (!data.includes('\n')) throw error
    const lines = data.split('\n').filter((line) => line !== '')
    return lines.map((line) => readJson(line, { what }))
  }
}

const what = 'event of the model'

export function toRecord(value: unknown): JsonRecord {
  return typeof value === 'object' && value !== null ? (value as JsonRecord) : nothing
}

const nothing: JsonRecord = Object.freeze({})

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
