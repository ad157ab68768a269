import { createHash } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import type { NewChange } from '@dataagent/hub'
import { AppError, isAppError, type Role, type User } from '@dataagent/schema'
import type { Tables } from '../../ports/index.ts'
import type { IdentityStores } from '../ports.ts'
import type { Principal } from '../principal.ts'
import { isEnabled } from '../proof.ts'
import type { Person } from './person.ts'

export interface OidcStores extends IdentityStores {
  tables: IdentityStores['tables'] & Pick<Tables, 'settings'>
  /** Stops what the user has begun with a right that is lost. */
  runs: { cancelOf(user: Pick<User, 'tenant_id' | 'user_id'>): Promise<unknown> }
  note(
    by: Principal,
    happened: Pick<NewChange, 'tenant_id' | 'kind' | 'target' | 'action'> & {
      before?: unknown
      after?: unknown
    },
  ): NewChange
}

export interface AdmitOptions {
  stores: OidcStores
  clock: Clock
  tenant_id: string
}

/**
 * The user of a person, made at the first sign-in, and from then on that of this person alone,
 * whatever names the provider lets others choose. Throws `forbidden` for one who is disabled or is
 * somebody else's, `quota_exceeded` where the tenant has no room for one more.
 */
export async function admit(person: Person, options: AdmitOptions): Promise<Principal> {
  const { stores, tenant_id } = options
  const { user_id, role } = person
  const found = await stores.tables.users.get(tenant_id, user_id)
  const user = found ?? (await add(person, options))
  if (!isEnabled(user)) throw new AppError('forbidden', 'This user is disabled.')
  await bind(person, user, { ...options, isNew: !found })
  if (role === undefined || role === user.role) return { tenant_id, user_id, role: user.role }
  await takeOverRole(user, role, stores)
  return { tenant_id, user_id, role }
}

/** The issuer's name for the person never changes and is never given to another. */
async function bind(
  { subject, isVouchedFor }: Person,
  { tenant_id, user_id, role }: User,
  { stores: { tables }, isNew }: AdmitOptions & { isNew: boolean },
): Promise<void> {
  const id = createHash('sha256')
    .update(JSON.stringify([tenant_id, user_id]))
    .digest('base64url')
  const name = `oidc_subject:${id}`
  const bound = await tables.settings.get(name)
  const mayBind = isNew || (isVouchedFor && role !== 'platform_admin')
  if (bound === undefined && !mayBind) throw somebodyElses()
  if ((bound ?? (await tables.settings.setIfAbsent(name, subject))) !== subject)
    throw somebodyElses()
}

function somebodyElses(): AppError {
  return new AppError('forbidden', 'This user is not that of the person who signed in.')
}

async function add({ user_id, name, role = 'user' }: Person, options: AdmitOptions): Promise<User> {
  const { stores, clock, tenant_id } = options
  const { tenants, users } = stores.tables
  const max = (await tenants.get(tenant_id))?.max_users ?? null
  const user = { tenant_id, user_id, name, role, created_at: clock.now(), disabled_at: null }
  const happened = { tenant_id, kind: 'user', target: user_id, action: 'added' } as const
  const note = stores.note({ tenant_id, user_id, role }, { ...happened, after: user })
  try {
    await users.create(user, { max, note })
    return user
  } catch (error) {
    const other = isAppError(error, 'conflict') ? await users.get(tenant_id, user_id) : undefined
    if (other) return other
    throw error
  }
}

/** Of the last administrator the row stays; this sign-in has the new role all the same. */
async function takeOverRole(user: User, role: Role, stores: OidcStores): Promise<void> {
  const { tables, note, runs } = stores
  const { tenant_id, user_id } = user
  const happened = { tenant_id, kind: 'user', target: user_id, action: 'changed' } as const
  const by = { tenant_id, user_id, role: user.role }
  const change = note(by, { ...happened, before: { role: user.role }, after: { role } })
  await tables.users.update(tenant_id, user_id, { role }, { note: change }).catch((error) => {
    if (!isAppError(error, 'conflict')) throw error
  })
  await runs.cancelOf({ tenant_id, user_id })
}
