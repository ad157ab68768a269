import type { ToolGroupInfo } from '@dataagent/schema'
import type { Tone } from '../ui/badge.tsx'

export type KeyState = 'active' | 'ending' | 'expired' | 'revoked' | 'none'

const soonMs = 7 * 24 * 3_600_000

/** Whether a group's key opens it. */
export function toKeyState({ key }: Pick<ToolGroupInfo, 'key'>, now: number): KeyState {
  if (key === null) return 'none'
  if (key.revoked_at !== null) return 'revoked'
  if (key.expires_at === null) return 'active'
  if (key.expires_at <= now) return 'expired'
  return key.expires_at <= now + soonMs ? 'ending' : 'active'
}

export const keyTones: Record<KeyState, Tone> = {
  active: 'good',
  ending: 'wait',
  expired: 'bad',
  revoked: 'bad',
  none: 'plain',
}

/** The last moment of a day that was chosen, of the person's own time; undefined for none. */
export function endOfDay(day: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const at = new Date(`${day}T23:59:59.999`).getTime()
  return Number.isNaN(at) ? undefined : at
}

/** The day of a moment as a date field has it. */
export function toDay(at: number | null): string {
  if (at === null) return ''
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
