import { type JsonRecord, toRecord, toText } from '../answer/answer-decoder.ts'
import { createCallAllowance } from '../answer/call-allowance.ts'

/** A call as it is put together. */
export interface PiecedCall {
  id: string
  name: string
  json: string
}

/** Puts together calls that come in pieces, each by its own server's idea of order. */
export interface CallPieces {
  readonly calls: readonly PiecedCall[]
  /** One item of `tool_calls`. Throws where it grows beyond all measure. */
  add(piece: unknown): void
}

export function createCallPieces(): CallPieces {
  const calls: PiecedCall[] = []
  const byIndex = new Map<number, PiecedCall>()
  const allowance = createCallAllowance()

  return { calls, add }

  function add(given: unknown): void {
    const piece = toRecord(given)
    const { name, arguments: args } = toRecord(piece.function ?? piece)
    const json = toJson(args)
    allowance.json(json)
    const call = findCall(piece, toText(name))
    call.json += json
  }

  function findCall(piece: JsonRecord, name: string): PiecedCall {
    const id = toText(piece.id)
    const index = typeof piece.index === 'number' ? piece.index : undefined
    const known = index === undefined ? calls.at(-1) : byIndex.get(index)
    const isNew =
      known === undefined || beginsAnother(known, { id, name, hasIndex: index !== undefined })
    const call = isNew ? open() : known
    if (index !== undefined) byIndex.set(index, call)
    if (call.id === '') call.id = id
    // Some send the name in pieces, others whole with every piece.
    if (name !== call.name) call.name += name
    return call
  }

  function open(): PiecedCall {
    allowance.call()
    const call = { id: '', name: '', json: '' }
    calls.push(call)
    return call
  }
}

/** Some servers give every call the same index or none: then a new id or name begins a new call. */
function beginsAnother(
  known: PiecedCall,
  { id, name, hasIndex }: { id: string; name: string; hasIndex: boolean },
): boolean {
  if (id !== '' && known.id !== '' && id !== known.id) return name !== '' || !hasIndex
  if (name === '' || known.json === '' || (id !== '' && id === known.id)) return false
  return !hasIndex || isWholeJson(known.json)
}

function isWholeJson(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}

function toJson(args: unknown): string {
  if (typeof args === 'string') return args
  return args === undefined || args === null ? '' : JSON.stringify(args)
}
