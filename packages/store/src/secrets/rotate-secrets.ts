import { isAppError } from '@dataagent/schema'
import type { Vault } from './vault.ts'

export interface SealedRow<Id> {
  id: Id
  envelope: string
}

export interface RotateOptions<Id> {
  vault: Vault
  /** The rows in any order; those already under the current key are passed over. */
  rows: AsyncIterable<SealedRow<Id>> | Iterable<SealedRow<Id>>
  /** Stores `next` where the row still holds `previous`; false when it has changed meanwhile. */
  replace(row: SealedRow<Id>, next: string): Promise<boolean>
  signal?: AbortSignal
}

export interface RotationReport<Id> {
  rewrapped: number
  /** Were under the current key already, or were written anew meanwhile. */
  current: number
  /** Cannot be opened by any configured key; left as they are. */
  unreadable: Id[]
}

/**
 * Brings rows under the current master key, online: the sealed text stays as it is. Stopped halfway
 * (killed, aborted, store away) it is run again and goes on where it was. An older key may go once
 * a whole run reports nothing rewrapped and nothing unreadable.
 */
export async function rotateSecrets<Id>({
  vault,
  rows,
  replace,
  signal,
}: RotateOptions<Id>): Promise<RotationReport<Id>> {
  const report: RotationReport<Id> = { rewrapped: 0, current: 0, unreadable: [] }
  for await (const row of rows) {
    signal?.throwIfAborted()
    const next = await vault.rewrap(row.envelope).catch(unlessUnreadable)
    if (next === undefined) report.unreadable.push(row.id)
    else if (next !== row.envelope && (await replace(row, next))) report.rewrapped++
    else report.current++
  }
  return report
}

function unlessUnreadable(error: unknown): undefined {
  if (!isAppError(error, 'secret_unreadable')) throw error
  return undefined
}
