import { isGenuine, parseAnchor, register } from './anchors.ts'
import {
  type Beginning,
  type ChainRef,
  readBeginning,
  toBeginningAnchor,
  toBeginningName,
} from './beginning.ts'
import { toRowHash } from './chain.ts'
import type { AnchorRow, CallLogRow, CallLogRows } from './contract.ts'

/** What removing old rows needs beside the log itself. */
export interface TrimRows {
  /** Deletes the first rows of a chain, at most `limit`, up to the seq `to`; gives how many. */
  deleteCalls(chain: ChainRef & { to: number }, limit: number): Promise<number>
  /** Deletes anchors of a name that are before the seq `before`. */
  deleteAnchors(chain: ChainRef & { before: number }): Promise<void>
}

export interface TrimOptions extends ChainRef {
  calls: Pick<CallLogRows, 'chain' | 'anchors' | 'putAnchors'>
  rows: TrimRows
  key: string | Uint8Array
  now: number
  /** Rows that ended before this go. */
  endedBefore: number
  /** Called between batches; throws where this process must stop. */
  goOn(): void | Promise<void>
}

export type Trimmed = { status: 'ok'; removed: number } | { status: 'faulty'; seq: number }

const page = 200
const deletedAtOnce = 1_000

/** All who have ever written for a tenant, as far as their rows have anchors. */
export async function listWriters(
  calls: Pick<CallLogRows, 'anchors'>,
  tenant_id: string,
): Promise<string[]> {
  const writers: string[] = []
  for (let after = 0; ; ) {
    const found = await calls.anchors(tenant_id, register, after, page)
    for (const { hash } of found) writers.push(parseAnchor(hash).note)
    if (found.length < page) return writers
    after = found.at(-1)!.seq
  }
}

/**
 * Removes the rows of a chain that are too old, up to the last of them that has an anchor. They are
 * verified first: a chain in which something is wrong stays as it is from there, for who
 * investigates. Where it begins is signed and stored before anything is deleted.
 */
export async function trimChain(options: TrimOptions): Promise<Trimmed> {
  const { calls: rows, tenant_id, writer, key, now, endedBefore } = options
  const begins = await readBeginning({ rows, tenant_id, writer, key })
  const { cut, faulty } = await findCut(options, begins)
  if (cut.seq > begins.seq) {
    const place = { tenant_id, writer, ...cut }
    await rows.putAnchors([toBeginningAnchor(place, { before: endedBefore, now, key })])
  }
  const removed = await deleteUpTo(options, cut.seq)
  if (faulty === undefined) return { status: 'ok', removed }
  // Another process may remove the same rows at the same time.
  const current = await readBeginning({ rows, tenant_id, writer, key })
  return current.seq >= faulty ? { status: 'ok', removed } : { status: 'faulty', seq: faulty }
}

/** The last row that is too old and anchored, and the first in which something is wrong. */
async function findCut(
  options: TrimOptions,
  begins: Beginning,
): Promise<{ cut: Beginning; faulty?: number }> {
  const anchorOf = createAnchorLookup(options, begins.seq)
  let [cut, last] = [begins, begins]
  for (;;) {
    await options.goOn()
    const { tenant_id, writer } = options
    const found = await options.calls.chain(tenant_id, writer, last.seq, page)
    for (const row of found) {
      if (row.ended_at >= options.endedBefore) return { cut }
      const anchor = await anchorOf(row.seq)
      if (!follows(row, last, anchor)) return { cut, faulty: last.seq + 1 }
      last = { seq: row.seq, hash: row.hash }
      if (anchor) cut = last
    }
    if (found.length < page) return { cut }
  }
}

function follows(row: CallLogRow, last: Beginning, anchor: AnchorRow | undefined): boolean {
  return (
    row.seq === last.seq + 1 &&
    row.prev_hash === last.hash &&
    toRowHash(row) === row.hash &&
    (anchor === undefined || parseAnchor(anchor.hash).digest === row.hash)
  )
}

/** Finds the genuine anchor of one row after the other. */
function createAnchorLookup({ calls, tenant_id, writer, key }: TrimOptions, from: number) {
  let ahead: AnchorRow[] = []
  let after = from
  let isEnd = false
  return async (seq: number): Promise<AnchorRow | undefined> => {
    while (!isEnd && after < seq) {
      const found = await calls.anchors(tenant_id, writer, after, page)
      ahead = found
      after = found.at(-1)?.seq ?? after
      isEnd = found.length < page
    }
    const anchor = ahead.find((each) => each.seq === seq)
    return anchor && isGenuine(anchor, key) ? anchor : undefined
  }
}

async function deleteUpTo({ rows, goOn, ...chain }: TrimOptions, to: number): Promise<number> {
  const { tenant_id, writer } = chain
  if (to === 0) return 0
  let removed = 0
  for (;;) {
    await goOn()
    const count = await rows.deleteCalls({ tenant_id, writer, to }, deletedAtOnce)
    removed += count
    if (count < deletedAtOnce) break
  }
  if (removed === 0) return 0
  await rows.deleteAnchors({ tenant_id, writer, before: to })
  await rows.deleteAnchors({ tenant_id, writer: toBeginningName(writer), before: to })
  return removed
}
