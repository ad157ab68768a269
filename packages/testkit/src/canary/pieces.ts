/** Bytes to be searched, and where they come from. */
export interface Piece {
  name: string
  bytes: Buffer
}

/** Takes apart any value, keys and all, errors with their stack and cause; each object once. */
export function* piecesOf(
  name: string,
  value: unknown,
  seen = new Set<unknown>(),
): Generator<Piece> {
  if (value === null || value === undefined || seen.has(value)) return
  if (typeof value !== 'object') {
    if (typeof value !== 'function') yield { name, bytes: Buffer.from(String(value)) }
    return
  }
  seen.add(value)
  if (ArrayBuffer.isView(value)) {
    yield { name, bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength) }
    return
  }
  if (value instanceof ArrayBuffer) return yield { name, bytes: Buffer.from(value) }
  if (value instanceof URL || value instanceof Date) return yield* piecesOf(name, String(value))
  for (const [key, member] of entriesOf(value)) {
    const path = `${name}.${typeof key === 'object' ? 'key' : String(key)}`
    yield* piecesOf(`${path} (key)`, key, seen)
    yield* piecesOf(path, member, seen)
  }
}

function entriesOf(value: object): Iterable<[unknown, unknown]> {
  if (value instanceof Map || value instanceof Headers) return value.entries()
  if (value instanceof Set) return [...value].entries()
  return Reflect.ownKeys(value).map((key) => [key, Reflect.get(value, key)])
}
