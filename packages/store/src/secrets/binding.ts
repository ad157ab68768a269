/** The one place a secret belongs to. Its envelope opens nowhere else. */
export interface SecretBinding {
  tenant: string
  table: string
  row: string
  column: string
}

/**
 * Each part with its length before it: no two bindings have the same bytes, whatever their parts
 * hold.
 */
export function encodeBinding({ tenant, table, row, column }: SecretBinding): Buffer {
  return encodeParts(['v1', tenant, table, row, column])
}

export function encodeParts(parts: string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      return [length, bytes]
    }),
  )
}
