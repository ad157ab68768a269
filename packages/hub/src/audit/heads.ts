import { type ChainPlace, noHash } from './chain.ts'
import type { CallLogRow } from './contract.ts'
import type { ChainHead } from './journal-lines.ts'

/** The heads of the chains of one writer, of each tenant one. */
export interface Heads {
  /** The place of the next row of a tenant. */
  next(tenant_id: string): ChainPlace
  linked(row: CallLogRow): void
  /** In order, as they were linked. */
  stored(rows: readonly CallLogRow[]): void
  anchored(heads: readonly ChainHead[]): void
  /** Heads that are stored and have no anchor. */
  unanchored(): ChainHead[]
  /** The last row of a tenant that is known to be stored. */
  lastStored(tenant_id: string): ChainHead | undefined
  /** The tenant's next row is the first of a chain. */
  forget(tenant_id: string): void
}

interface Chain {
  linked: { seq: number; hash: string }
  stored: { seq: number; hash: string }
  anchored: number
}

export function createHeads(writer: string): Heads {
  const chains = new Map<string, Chain>()
  const dirty = new Set<string>()

  function chainOf(tenant_id: string): Chain {
    let chain = chains.get(tenant_id)
    if (chain === undefined) {
      const none = { seq: 0, hash: noHash }
      chain = { linked: none, stored: none, anchored: 0 }
      chains.set(tenant_id, chain)
    }
    return chain
  }

  function toHead(tenant_id: string): ChainHead {
    const { seq, hash } = chainOf(tenant_id).stored
    return { tenant_id, writer, seq, hash }
  }

  return {
    next(tenant_id) {
      const { seq, hash } = chainOf(tenant_id).linked
      return { writer, seq: seq + 1, prev_hash: hash }
    },
    linked({ tenant_id, seq, hash }) {
      chainOf(tenant_id).linked = { seq, hash }
    },
    stored(rows) {
      for (const { tenant_id, seq, hash } of rows) {
        chainOf(tenant_id).stored = { seq, hash }
        dirty.add(tenant_id)
      }
    },
    anchored(heads) {
      for (const { tenant_id, seq } of heads) {
        const chain = chainOf(tenant_id)
        chain.anchored = Math.max(chain.anchored, seq)
        if (chain.anchored === chain.stored.seq) dirty.delete(tenant_id)
      }
    },
    unanchored: () => [...dirty].map(toHead),
    lastStored: (tenant_id) => (chains.has(tenant_id) ? toHead(tenant_id) : undefined),
    forget(tenant_id) {
      chains.delete(tenant_id)
      dirty.delete(tenant_id)
    },
  }
}
