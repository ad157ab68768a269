import {
  AppError,
  id,
  signedOutSchema,
  type User,
  type UserUpdate,
  userCreateSchema,
  userSchema,
  usersPageSchema,
  usersQuerySchema,
  userUpdateSchema,
} from '@dataagent/schema'
import { z } from 'zod'
import { defineRoute, type Owner, ownerOf, type Route, tenantOf } from '../deps/index.ts'
import { type Identity, mayAccess, mayGrant, type Principal } from '../identity/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { refusingTwice, thereAlready } from './duplicate.ts'
import { findTenant } from './tenants.ts'
import { endGrants } from './users-grants.ts'

const all = { path: '/users', tag: 'users' } as const
const one = {
  path: '/users/:user_id',
  tag: 'users',
  params: z.strictObject({ user_id: id }),
  query: z.strictObject({ tenant_id: id.exactOptional() }),
} as const

/** The people of a tenant. */
export function userRoutes(platform: GetPlatform, identity: Pick<Identity, 'forget'>): Route[] {
  return [
    defineRoute({
      ...all,
      ...{ method: 'GET', access: 'auditor', summary: 'The users of the tenant, by id.' },
      query: usersQuerySchema,
      answer: usersPageSchema,
      async handle({ principal, query: { tenant_id: asked, q, ...page } }) {
        const tenant_id = tenantOf(principal, asked)
        const { users } = platform().tables
        const [list, total] = await Promise.all([
          users.list(tenant_id, { ...page, q }),
          users.count(tenant_id, { q }),
        ])
        return { users: list, ...page, total }
      },
    }),
    defineRoute({
      ...all,
      ...{ method: 'POST', access: 'admin', creates: true, status: 201 },
      summary: 'Adds a user.',
      body: userCreateSchema,
      answer: userSchema,
      async handle({ principal, body }) {
        const tenant_id = tenantOf(principal, body.tenant_id)
        assertGrants(principal, body.role)
        return add(platform(), principal, { ...body, tenant_id })
      },
    }),
    defineRoute({
      ...one,
      ...{ method: 'GET', access: 'member', summary: 'One user: yourself, or one of the tenant.' },
      answer: userSchema,
      async handle({ principal, params: { user_id }, query }) {
        const isSeen = user_id === principal.user_id || mayAccess(principal, 'auditor')
        if (!isSeen) throw noUser(user_id)
        return findUser(platform(), tenantOf(principal, query.tenant_id), user_id)
      },
    }),
    defineRoute({
      ...one,
      ...{ method: 'PATCH', access: 'admin' },
      summary: 'Changes a user; the last administrator of a tenant stays one.',
      body: userUpdateSchema,
      answer: userSchema,
      async handle({ principal, params: { user_id }, query, body }) {
        const before = await findUser(platform(), tenantOf(principal, query.tenant_id), user_id)
        assertGrants(principal, before.role)
        if (body.role) assertGrants(principal, body.role)
        const user = await update(platform(), principal, { before, body })
        identity.forget()
        return user
      },
    }),
    defineRoute({
      ...{ ...one, path: '/users/:user_id/sign-out', method: 'POST', access: 'member' },
      summary: 'Signs all browsers of a user out.',
      answer: signedOutSchema,
      async handle({ principal, params, query }) {
        const { user_id } = ownerOf(principal, params.user_id)
        const tenant_id = tenantOf(principal, query.tenant_id)
        await findManaged(platform(), principal, { tenant_id, user_id })
        const { browserSessions } = platform().tables
        const signed_out = await browserSessions.deleteByUser(tenant_id, user_id)
        identity.forget()
        return { signed_out }
      },
    }),
  ]
}

/** Throws `not_found`. */
async function findUser({ tables }: Platform, tenant_id: string, user_id: string): Promise<User> {
  const user = await tables.users.get(tenant_id, user_id)
  if (!user) throw noUser(user_id)
  return user
}

/**
 * The caller's own user, or one whose role does not go beyond theirs: who may not manage a user may
 * not be the user either. Throws `not_found` and `forbidden`.
 */
export async function findManaged(
  platform: Platform,
  by: Principal,
  { tenant_id, user_id }: Owner,
): Promise<User> {
  const user = await findUser(platform, tenant_id, user_id)
  if (user_id !== by.user_id || tenant_id !== by.tenant_id) assertGrants(by, user.role)
  return user
}

/** Throws `forbidden` where the role allows what the caller's own does not. */
export function assertGrants({ role: own }: Principal, role: User['role']): void {
  if (!mayGrant(own, role)) throw new AppError('forbidden', `Your role does not reach to ${role}.`)
}

type NewUser = Omit<User, 'created_at' | 'disabled_at'>

/** That there is one already is told before that there is no room for one more. */
async function add(platform: Platform, by: Principal, given: NewUser): Promise<User> {
  const { tables, tenants, clock, note } = platform
  const { tenant_id, user_id } = given
  const name = `a user ${user_id}`
  const { max_users: max } = tenants.get(tenant_id) ?? (await findTenant(platform, tenant_id))
  if (await tables.users.get(tenant_id, user_id)) throw thereAlready(name)
  const user = { ...given, created_at: clock.now(), disabled_at: null }
  const added = { ...changeOf(user), action: 'added', after: user } as const
  await refusingTwice(name, tables.users.create(user, { max, note: note(by, added) }))
  return user
}

interface Updating {
  before: User
  body: UserUpdate
}

async function update(platform: Platform, by: Principal, { before, body }: Updating) {
  const { tables, clock, note } = platform
  const { disabled, ...change } = body
  const { tenant_id, user_id } = before
  const disabled_at = disabled ? (before.disabled_at ?? clock.now()) : null
  const next = disabled === undefined ? change : { ...change, disabled_at }
  const after = { ...before, ...next }
  const action = actionOf(before, after)
  const changed = { ...changeOf(before), action, before, after } as const
  const noted = { note: note(by, changed) }
  const user = await tables.users.update(tenant_id, user_id, next, noted)
  if (!disabled && user.role === before.role) return user
  await endGrants(platform, { tenant_id, user_id })
  if (disabled) await tables.browserSessions.deleteByUser(tenant_id, user_id)
  await platform.runs.cancelOf({ tenant_id, user_id })
  return user
}

function actionOf(
  { disabled_at: before }: User,
  { disabled_at: after }: User,
): 'changed' | 'enabled' | 'disabled' {
  if ((before === null) === (after === null)) return 'changed'
  return after === null ? 'enabled' : 'disabled'
}

function changeOf({ tenant_id, user_id }: User) {
  return { tenant_id, kind: 'user', target: user_id } as const
}

function noUser(user_id: string): AppError {
  return new AppError('not_found', `there is no user ${user_id}`)
}
