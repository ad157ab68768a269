import { AppError } from '@dataagent/schema'
import { isGroupId } from '../paths.ts'
import type { GroupRow } from '../ports.ts'
import type { GroupChange } from './contract.ts'

const longestName = 120
const longestDescription = 2_000
const longestOverlapMs = 90 * 24 * 60 * 60_000

/** The columns that a change sets. Each throws `invalid_request` with the field's name. */
export function toFields(change: GroupChange, now: number): Partial<GroupRow> {
  const { name, description, enabled, open_to_users, shown_once, key_expires_at } = change
  if (name !== undefined) checkName(name)
  if (description !== undefined) checkText('description', description, longestDescription)
  if (key_expires_at !== undefined) checkExpiry('key_expires_at', key_expires_at, now)
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(enabled !== undefined && { enabled: Number(enabled) }),
    ...(open_to_users !== undefined && { open_to_users: Number(open_to_users) }),
    ...(shown_once !== undefined && { shown_once: Number(shown_once) }),
    // What is shown once is not kept.
    ...(shown_once === true && { api_key: null }),
    ...(key_expires_at !== undefined && { key_expires_at }),
  }
}

export function checkGroupId(group_id: string): void {
  if (isGroupId(group_id)) return
  throw invalid('group_id: expected 1 to 63 of a-z, 0-9, - and _, the first a letter or digit')
}

export function checkExpiry(field: string, expires_at: number | null, now: number): void {
  if (expires_at === null || (Number.isSafeInteger(expires_at) && expires_at > now)) return
  throw invalid(`${field}: expected a time to come in milliseconds, or null`)
}

export function checkOverlap(overlapMs: number): void {
  const fits = Number.isSafeInteger(overlapMs) && overlapMs >= 0 && overlapMs <= longestOverlapMs
  if (!fits) throw invalid('overlapMs: expected at most 90 days in milliseconds')
}

/** An id that reads like the name; where nothing of it is left, `group`. */
export function toGroupId(name: string): string {
  const words = name
    .toLowerCase()
    .normalize('NFKD')
    .match(/[a-z0-9]+/g)
  return words?.join('-').slice(0, 40) ?? 'group'
}

function checkName(name: string): void {
  checkText('name', name, longestName)
  if (name.trim() !== name || name === '' || /[\p{Cc}\p{Cf}]/u.test(name)) {
    throw invalid('name: expected text without control characters, and no space at either end')
  }
}

function checkText(field: string, text: string, longest: number): void {
  if (typeof text === 'string' && text.length <= longest && text.isWellFormed()) return
  throw invalid(`${field}: expected text of at most ${longest} characters`)
}

function invalid(message: string): AppError {
  return new AppError('invalid_request', message)
}
