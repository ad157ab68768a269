import type { Clock } from '@dataagent/guard'
import type { GroupRow, KeyHashes, TokenCraft } from '../ports.ts'
import { prefixes } from '../tokens/index.ts'
import type { KeyVerdict } from './contract.ts'
import type { HeldGroups } from './held-groups.ts'
import { toKeyId, toKeyState, toPreviousKeyId } from './key-state.ts'

export interface FindByKeyOptions {
  held: Pick<HeldGroups, 'byKeyHash'>
  craft: TokenCraft
  clock: Clock
  /** The key is right, and its MAC of an older pepper: stored anew in the background. */
  onStale(row: GroupRow, fields: Partial<GroupRow>): void
}

const longestKey = 256

/** Finds the group of a key, from memory. */
export function createFindByKey({ held, craft, clock, onStale }: FindByKeyOptions) {
  /** What a key that nobody has is checked against, so that it takes the time of one. */
  const nobodys: KeyHashes = craft.hash(prefixes.group_key + craft.createToken())

  return function findByKey(key: string): KeyVerdict {
    if (!key.startsWith(prefixes.group_key) || key.length > longestKey) return { status: 'wrong' }
    const hash = craft.lookup(key)
    const row = held.byKeyHash(hash)
    const isPrevious = row?.previous_hashed_api_key === hash
    const verdict = craft.verify(key, storedIn(row, isPrevious) ?? nobodys)
    if (row === undefined || verdict === 'wrong') return { status: 'wrong' }
    const key_id = isPrevious ? toPreviousKeyId(row) : toKeyId(row)
    const state = toKeyState(row, key_id, clock.now())
    if (state === 'unknown') return { status: 'wrong' }
    if (state !== 'ok') return { status: state }
    if (verdict === 'stale') onStale(row, toFields(craft.hash(key), isPrevious))
    return row.enabled === 0 ? { status: 'disabled' } : { status: 'ok', group: row, key_id }
  }
}

function storedIn(row: GroupRow | undefined, isPrevious: boolean) {
  if (row === undefined) return undefined
  const [key_mac, pepper_kid] = isPrevious
    ? [row.previous_key_mac, row.previous_pepper_kid]
    : [row.key_mac, row.pepper_kid]
  return key_mac === null || pepper_kid === null ? undefined : { key_mac, pepper_kid }
}

function toFields({ key_mac, pepper_kid }: KeyHashes, isPrevious: boolean): Partial<GroupRow> {
  if (!isPrevious) return { key_mac, pepper_kid }
  return { previous_key_mac: key_mac, previous_pepper_kid: pepper_kid }
}
