import type { Ledger } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'

/** The counting part of the KV. */
export type Counter = Pick<Kv, 'add'>

/** A counter for one process. */
export function createLocalCounter(): Counter {
  const values = new Map<string, number>()
  return {
    async add(key, by, { max = Infinity, min = -Infinity } = {}) {
      const before = values.get(key) ?? 0
      const value = before + by
      if ((by > 0 && value > max) || (by < 0 && value < min)) {
        return { status: 'refused', value: before }
      }
      values.set(key, value)
      return { status: 'ok', value }
    },
  }
}

export interface QuotaLedgerOptions {
  counter: Counter
  /** The workspace's name in the KV. */
  key: string
  quota(): Promise<number>
  /** The bytes that the workspace really has. */
  measure(): Promise<number>
}

export interface QuotaLedger extends Ledger {
  /** Bytes used and reserved. */
  used(): Promise<number>
  /** Sets the count to what is really there, unless it changes meanwhile. */
  recount(): Promise<void>
}

/**
 * A ledger whose count all processes share. The counter holds one more than the bytes: where it is
 * 0 nobody has counted yet, or the store has lost it.
 */
export function createQuotaLedger(options: QuotaLedgerOptions): QuotaLedger {
  const { counter, quota, measure } = options
  const key = `workspace:bytes:${options.key}`
  /** What could not be given back while the store was away. */
  let owed = 0

  const read = async () => (await counter.add(key, 0)).value

  async function ensureCounted(): Promise<number> {
    for (;;) {
      const found = await read()
      if (found > 0) return found - 1
      const bytes = await measure()
      // Refused where another was faster.
      await counter.add(key, bytes + 1, { max: bytes + 1 })
    }
  }

  async function lower(bytes: number): Promise<void> {
    if (bytes <= 0) return
    const { status, value } = await counter.add(key, -bytes, { min: 1 })
    if (status === 'refused' && value > 1) await counter.add(key, 1 - value, { min: 1 })
  }

  async function payBack(): Promise<void> {
    const bytes = owed
    owed = 0
    await lower(bytes).catch((error) => {
      owed += bytes
      throw error
    })
  }

  return {
    async reserve(bytes) {
      await ensureCounted()
      await payBack()
      const most = await quota()
      const { status, value } = await counter.add(key, bytes, { max: most + 1 })
      if (status === 'refused') throw exceeded({ bytes, used: Math.max(0, value - 1), most })
    },
    async release(bytes) {
      owed += bytes
      await payBack().catch(() => {})
    },
    async used() {
      return Math.max(0, (await ensureCounted()) - owed)
    },
    async recount() {
      const before = await ensureCounted()
      const bytes = await measure()
      if ((await read()) !== before + 1) return
      owed = 0
      await counter.add(key, bytes - before)
    },
  }
}

interface Excess {
  bytes: number
  used: number
  most: number
}

function exceeded({ bytes, used, most }: Excess): AppError {
  return new AppError(
    'quota_exceeded',
    `The workspace is full: ${toSize(used)} of ${toSize(most)} are used, and this needs ` +
      `${toSize(bytes)} more. Nothing was written. Delete files that are no longer needed, ` +
      'or ask an administrator for a larger quota',
    {
      data: {
        ...{ limit: 'workspace_quota', max: most },
        ...{ used_bytes: used, quota_bytes: most, needed_bytes: bytes },
      },
    },
  )
}

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

export function toSize(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10))
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`
}
