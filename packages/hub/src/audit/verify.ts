import { isGenuine, parseAnchor, register, toRegisterDigest } from './anchors.ts'
import { readBeginning } from './beginning.ts'
import { noHash, toRowHash } from './chain.ts'
import type { AnchorRow, CallLogRow, CallLogRows, ChainReport } from './contract.ts'

export interface VerifyOptions {
  rows: CallLogRows
  key: string | Uint8Array
  tenant_id: string
  /** Rows that ended before this must have an anchor behind them. */
  anchoredBefore: number
  /** Rows that this process knows to be stored. */
  known: { writer: string; seq: number; hash: string } | undefined
}

type Fault = ChainReport['faults'][number]

const page = 1_000
/** Where more is wrong than this, the rest is not listed. */
const maxFaults = 100

/**
 * Reads every chain of a tenant, in pages, and compares it with its anchors and with the register
 * of writers. Rows may be added meanwhile: what vouches for others is read after them.
 */
export async function verifyChains(options: VerifyOptions): Promise<ChainReport> {
  const { rows, tenant_id, known } = options
  const faults: Fault[] = []
  const report = (writer: string, seq: number, what: string) => {
    if (faults.length < maxFaults) faults.push({ writer, seq, what })
  }
  const chains = new Map<string, Walk>()
  const verifyOnce = async (writer: string) => {
    if (!chains.has(writer)) chains.set(writer, await verifyChain(options, writer, report))
  }
  for (const writer of await rows.writers(tenant_id)) await verifyOnce(writer)
  if (known) await verifyOnce(known.writer)
  const registered = await verifyRegister(options, report)
  for (const writer of registered) await verifyOnce(writer)
  compareRegister(registered, chains, report)
  const count = [...chains.values()].reduce((sum, { rows }) => sum + rows, 0)
  return { ok: faults.length === 0, rows: count, writers: chains.size, faults }
}

type Report = (writer: string, seq: number, what: string) => void

interface Walk {
  /** Of the row before. */
  seq: number
  hash: string
  rows: number
  lastAnchor: number
  /** How long the register was when the last anchor was made. */
  witnessed: number
}

function compareRegister(
  registered: ReadonlySet<string>,
  chains: ReadonlyMap<string, Walk>,
  report: Report,
): void {
  let witnessed = 0
  for (const [writer, { rows, lastAnchor, witnessed: seen }] of chains) {
    witnessed = Math.max(witnessed, seen)
    if (registered.has(writer)) {
      if (rows === 0 && lastAnchor === 0) report(writer, 1, 'all rows of the writer are missing')
    } else if (lastAnchor > 0) report(writer, 0, 'the writer is not in the register of writers')
  }
  if (witnessed > registered.size) {
    const what = 'entries at the end of the register of writers are missing'
    report(register, registered.size + 1, what)
  }
}

async function verifyRegister(
  { rows, key, tenant_id }: VerifyOptions,
  report: Report,
): Promise<Set<string>> {
  const writers = new Set<string>()
  let [seq, previous] = [0, noHash]
  for await (const entry of pagesOf((after) => rows.anchors(tenant_id, register, after, page))) {
    const { digest, note } = parseAnchor(entry.hash)
    if (!isGenuine(entry, key)) report(register, entry.seq, 'the entry was not made with our key')
    if (entry.seq !== seq + 1) report(register, seq + 1, toMissing(seq + 1, entry.seq - 1))
    else if (digest !== toRegisterDigest(previous, note)) {
      report(register, entry.seq, 'the entry does not follow from the one before')
    }
    writers.add(note)
    seq = entry.seq
    previous = digest
  }
  return writers
}

async function verifyChain(options: VerifyOptions, writer: string, report: Report): Promise<Walk> {
  const { rows, tenant_id, known } = options
  const walk: Walk = { seq: 0, hash: noHash, rows: 0, witnessed: 0, lastAnchor: 0 }
  await skipRemoved()
  const anchors = createAnchorWalk(options, { writer, walk, report })
  let unanchored: CallLogRow | undefined

  async function verifyRows(): Promise<void> {
    const read = (after: number) => rows.chain(tenant_id, writer, after, page)
    for await (const row of pagesOf(read, walk.seq)) {
      if (row.seq !== walk.seq + 1) await skipRemoved()
      verifyRow(row, walk, report)
      const isAnchored = await anchors.pass(row)
      if (!isAnchored && row.ended_at < options.anchoredBefore) unanchored ??= row
      Object.assign(walk, { seq: row.seq, hash: row.hash, rows: walk.rows + 1 })
    }
  }

  /** What is too old is removed meanwhile: where the chain begins is read again at a gap. */
  async function skipRemoved(): Promise<void> {
    const beginning = await readBeginning({ ...options, writer })
    if (beginning.seq > walk.seq) Object.assign(walk, beginning)
  }

  await verifyRows()
  await anchors.finish()
  const last = Math.max(walk.lastAnchor, known?.writer === writer ? known.seq : 0)
  // Anchors may have come with new rows after the last page of rows was read.
  if (last > walk.seq) await verifyRows()
  if (last > walk.seq) await skipRemoved()
  if (last > walk.seq) report(writer, walk.seq + 1, toMissing(walk.seq + 1, last))
  if (unanchored && unanchored.seq > walk.lastAnchor) {
    report(writer, unanchored.seq, 'the row has no anchor behind it')
  }
  return walk
}

/** Goes along the anchors of a chain beside its rows. */
function createAnchorWalk(
  { rows, tenant_id, key }: VerifyOptions,
  { writer, walk, report }: { writer: string; walk: Walk; report: Report },
) {
  const anchors = pagesOf((after) => rows.anchors(tenant_id, writer, after, page))
  let next: AnchorRow | undefined
  let isRead = false

  async function advance(): Promise<void> {
    next = (await anchors.next()).value ?? undefined
    isRead = true
    if (next === undefined) return
    if (!isGenuine(next, key)) {
      return report(writer, next.seq, 'the anchor was not made with our key')
    }
    walk.lastAnchor = next.seq
    walk.witnessed = Math.max(walk.witnessed, Number(parseAnchor(next.hash).note))
  }

  return {
    /** Whether this row, or one behind it, has an anchor. */
    async pass(row: CallLogRow): Promise<boolean> {
      if (!isRead) await advance()
      while (next !== undefined && next.seq < row.seq) await advance()
      if (next?.seq === row.seq && parseAnchor(next.hash).digest !== row.hash) {
        report(writer, row.seq, 'the row is not the one that was anchored')
      }
      return walk.lastAnchor >= row.seq
    },
    async finish(): Promise<void> {
      do await advance()
      while (next !== undefined)
    },
  }
}

function verifyRow(row: CallLogRow, before: { seq: number; hash: string }, report: Report): void {
  if (toRowHash(row) !== row.hash) {
    report(row.writer, row.seq, 'the row was changed after it was written')
  }
  if (row.seq !== before.seq + 1) {
    report(row.writer, before.seq + 1, toMissing(before.seq + 1, row.seq - 1))
  } else if (row.prev_hash !== before.hash) {
    report(row.writer, row.seq, 'the row does not follow from the one before')
  }
}

function toMissing(from: number, to: number): string {
  return from === to ? `row ${from} is missing` : `rows ${from} to ${to} are missing`
}

async function* pagesOf<T extends { seq: number }>(
  read: (after: number) => Promise<T[]>,
  from = 0,
): AsyncGenerator<T, undefined> {
  for (let after = from; ; ) {
    const found = await read(after)
    yield* found
    if (found.length < page) return undefined
    after = found.at(-1)!.seq
  }
}
