import { isGenuine, parseAnchor, signAnchor } from './anchors.ts'
import { noHash } from './chain.ts'
import type { AnchorRow, CallLogRows } from './contract.ts'

/** The last row of a chain that was removed for its age; `seq` 0 where none was. */
export interface Beginning {
  seq: number
  hash: string
}

export interface ChainRef {
  tenant_id: string
  writer: string
}

const page = 100

/** Under whose name it is kept, among the anchors, where a chain begins. No writer is called so. */
export function toBeginningName(writer: string): string {
  return `~${writer}`
}

/** Where what is left of a chain begins: what is not signed with the key counts for nothing. */
export async function readBeginning(
  options: ChainRef & { rows: Pick<CallLogRows, 'anchors'>; key: string | Uint8Array },
): Promise<Beginning> {
  const { rows, key, tenant_id } = options
  const name = toBeginningName(options.writer)
  let beginning: Beginning = { seq: 0, hash: noHash }
  for (let after = 0; ; ) {
    const found = await rows.anchors(tenant_id, name, after, page)
    const genuine = found.findLast((anchor) => isGenuine(anchor, key))
    if (genuine) beginning = { seq: genuine.seq, hash: parseAnchor(genuine.hash).digest }
    if (found.length < page) return beginning
    after = found.at(-1)!.seq
  }
}

/** Says, signed, that the rows of a chain up to this one may be gone: those that ended `before`. */
export function toBeginningAnchor(
  { tenant_id, writer, seq, hash }: ChainRef & Beginning,
  { before, now, key }: { before: number; now: number; key: string | Uint8Array },
): AnchorRow {
  const name = toBeginningName(writer)
  const says = { tenant_id, writer: name, seq, hash: `${hash} ${before}`, anchored_at: now }
  return signAnchor(says, key)
}
