import { AppError, type Role, userSchema } from '@dataagent/schema'
import { operator } from '../admin-key.ts'
import type { OidcSettings } from './provider.ts'

/** A person as the provider describes them. */
export interface Person {
  user_id: string
  name: string
  /** Who it is at the provider: issuer and `sub`, as one text. */
  subject: string
  /** Whether the provider has made sure that the user_id is theirs; a name they may have chosen. */
  isVouchedFor: boolean
  /** Where a claim says it. */
  role: Role | undefined
}

export type Claims = Readonly<Record<string, unknown>>

/** Throws `forbidden` for someone who may not sign in here. */
export function toPerson(claims: Claims, config: OidcSettings): Person {
  const { oidc_user_claim, oidc_role_claim, oidc_allowed_domains, oidc_tenant } = config
  if (oidc_user_claim === 'email' || oidc_allowed_domains.length > 0) checkEmail(claims, config)
  const user_id = idOf(claims[oidc_user_claim], oidc_user_claim)
  // Whoever runs the server comes with a key, whatever name a provider lets people choose.
  if (user_id === operator.user_id && oidc_tenant === operator.tenant_id)
    throw refusal(`the name ${user_id} is taken`)
  const role = oidc_role_claim === undefined ? undefined : roleOf(claims[oidc_role_claim])
  const subject = JSON.stringify([config.oidc_issuer, claims.sub])
  const isVouchedFor = ['email', 'sub'].includes(oidc_user_claim)
  return { user_id, name: nameOf(claims) ?? user_id, role, subject, isVouchedFor }
}

/** Whether `claims` has all that `toPerson` looks at. */
export function hasAllClaims(claims: Claims, config: OidcSettings): boolean {
  const { oidc_user_claim, oidc_role_claim, oidc_allowed_domains } = config
  const emails = oidc_allowed_domains.length > 0 ? ['email'] : []
  const names = [oidc_user_claim, ...(oidc_role_claim ? [oidc_role_claim] : []), ...emails]
  const needed = names.includes('email') ? [...names, 'email_verified'] : names
  return needed.every((name) => claims[name] !== undefined)
}

function checkEmail({ email, email_verified }: Claims, { oidc_allowed_domains }: OidcSettings) {
  if (typeof email !== 'string') throw refusal('the provider gives no email')
  if (email_verified !== true && email_verified !== 'true')
    throw refusal('the provider has not verified the email')
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (oidc_allowed_domains.length > 0 && !oidc_allowed_domains.includes(domain))
    throw refusal('the domain of the email is not allowed')
}

function idOf(value: unknown, claim: string): string {
  const text = typeof value === 'string' && claim === 'email' ? value.toLowerCase() : value
  const parsed = userSchema.shape.user_id.safeParse(text)
  if (!parsed.success) throw refusal(`the claim ${claim} cannot be a user_id`)
  return parsed.data
}

function nameOf({ name }: Claims): string | undefined {
  return userSchema.shape.name.safeParse(name).data
}

/** Never the platform: that is not the provider's to give. */
function roleOf(value: unknown): Role {
  const given = [value].flat()
  return (['admin', 'auditor', 'user'] as const).find((role) => given.includes(role)) ?? 'user'
}

function refusal(reason: string): AppError {
  return new AppError('forbidden', `This person may not sign in: ${reason}.`)
}
