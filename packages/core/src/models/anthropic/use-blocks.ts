import { type JsonRecord, toText } from '../answer/answer-decoder.ts'
import { createCallAllowance } from '../answer/call-allowance.ts'

export interface UseBlock {
  id: string
  name: string
  json: string
}

/** The calls of one answer, whose arguments come in pieces. */
export interface UseBlocks {
  readonly blocks: readonly UseBlock[]
  open(index: unknown, block: JsonRecord): void
  /** A piece of the arguments of the call at `index`. Throws where there is too much of them. */
  add(index: unknown, json: string): void
}

export function createUseBlocks(): UseBlocks {
  const blocks: UseBlock[] = []
  const byIndex = new Map<unknown, { block: UseBlock; hasPieces: boolean }>()
  const allowance = createCallAllowance()

  return {
    blocks,
    open(index, { id, name, input }) {
      allowance.call()
      const block = { id: toText(id), name: toText(name), json: toJson(input) }
      blocks.push(block)
      byIndex.set(index, { block, hasPieces: false })
    },
    add(index, json) {
      const entry = byIndex.get(index)
      allowance.json(json)
      if (entry === undefined || json === '') return
      // Arguments that came with the beginning stand for themselves only where no pieces follow.
      entry.block.json = entry.hasPieces ? entry.block.json + json : json
      entry.hasPieces = true
    },
  }
}

function toJson(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? {})
}
