import type { GroupRow } from '../ports.ts'

export type KeyState = 'ok' | 'expired' | 'revoked' | 'unknown'

/** What a grant or a session calls the key that gave it. */
export function toKeyId({ group_id, key_number }: Pick<GroupRow, 'group_id' | 'key_number'>) {
  return `${group_id}.${key_number}`
}

/** The key before the last rotation. */
export function toPreviousKeyId({ group_id, key_number }: GroupRow): string {
  return toKeyId({ group_id, key_number: key_number - 1 })
}

export function toKeyState(row: GroupRow, key_id: string, now: number): KeyState {
  if (key_id === toKeyId(row)) return toCurrentState(row, now)
  const isPrevious = row.previous_hashed_api_key !== null && key_id === toPreviousKeyId(row)
  if (!isPrevious) return 'unknown'
  return isOver(row.previous_expires_at, now) ? 'expired' : 'ok'
}

function toCurrentState(row: GroupRow, now: number): KeyState {
  if (row.key_revoked_at !== null) return 'revoked'
  return isOver(row.key_expires_at, now) ? 'expired' : 'ok'
}

function isOver(expires_at: number | null, now: number): boolean {
  return expires_at !== null && expires_at <= now
}
