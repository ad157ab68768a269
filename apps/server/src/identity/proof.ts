import { AppError, type Role, roleSchema, type User } from '@dataagent/schema'
import type { StoredKey } from '../ports/index.ts'
import { jointRole, type Principal } from './principal.ts'

/** What a credential proves. */
export interface Proof {
  principal: Principal
  /** Whether its holder may act for other users of the tenant. */
  act_as: boolean
  /** When the credential ends; left out where it does not. */
  expires_at?: number | null
}

/** The one answer to every credential that does not hold, whatever the reason. */
export function notValid(): AppError {
  return new AppError('unauthenticated', 'This credential is not valid.')
}

export function isUsable({ revoked_at, expires_at }: StoredKey, now: number): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now)
}

export function isEnabled(user: User | undefined): user is User {
  return user !== undefined && user.disabled_at === null
}

/** What all of these roles allow. */
export function roleOfAll(roles: readonly string[]): Role | undefined {
  const [first, ...others] = roles.map((role) => roleSchema.parse(role))
  return others.reduce((role, other) => role && jointRole(role, other), first)
}

/** Bookkeeping: a full disk must keep nobody out. The next use tries again. */
export async function ignoringFailure(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {})
}
