import {
  type ApiKeyCreate,
  type ApiKeyCreated,
  type ApiKeyInfo,
  AppError,
  apiKeyCreatedSchema,
  apiKeyCreateSchema,
  apiKeysPageSchema,
  id,
  roleSchema,
  usersQuerySchema,
} from '@dataagent/schema'
import { z } from 'zod'
import { type Call, defineRoute, type Owner, ownerOf, type Route, tenantOf } from '../deps/index.ts'
import { type Identity, mayAccess, mayGrant, type Principal } from '../identity/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import type { StoredKey } from '../ports/index.ts'
import { keysPerUser } from './quotas.ts'
import { assertGrants, findManaged } from './users.ts'
import { endGrants } from './users-grants.ts'

const all = {
  path: '/users/:user_id/api-keys',
  tag: 'users',
  access: 'member',
  params: z.strictObject({ user_id: id }),
} as const
const one = {
  path: '/users/:user_id/api-keys/:key_id',
  tag: 'users',
  access: 'member',
  params: z.strictObject({ user_id: id, key_id: id }),
} as const
const query = z.strictObject({ tenant_id: id.exactOptional() })

/** The API keys of a user; each is shown once, when it is made. */
export function apiKeyRoutes(platform: GetPlatform, identity: Pick<Identity, 'forget'>): Route[] {
  return [
    defineRoute({
      ...all,
      ...{
        method: 'GET',
        summary: 'The keys of a user, oldest first, without the keys themselves.',
      },
      query: usersQuerySchema,
      answer: apiKeysPageSchema,
      async handle({ principal, params, query: { tenant_id: asked, ...page } }) {
        const { user_id } = ownerOf(principal, params.user_id)
        const tenant_id = tenantOf(principal, asked)
        await findManaged(platform(), principal, { tenant_id, user_id })
        const { apiKeys } = platform().tables
        const [rows, total] = await Promise.all([
          apiKeys.listByUser(tenant_id, user_id, page),
          apiKeys.countByUser(tenant_id, user_id),
        ])
        return { api_keys: rows.map(toInfo), ...page, total }
      },
    }),
    defineRoute({
      ...all,
      ...{ method: 'POST', creates: true, secretAnswer: true, status: 201, query },
      summary: 'Makes a key, with no more rights than those of the user and of yourself.',
      body: apiKeyCreateSchema,
      answer: apiKeyCreatedSchema,
      async handle(call) {
        const at = placeOf(call)
        const { principal, body } = call
        const row = await planKey(platform(), principal, { ...at, body })
        const made = craftKey(platform(), row)
        const happened = {
          ...changeOf(made.row),
          action: 'added',
          after: toInfo(made.row),
        } as const
        const { tables, note } = platform()
        const noted = { note: note(principal, happened), max: keysPerUser }
        await tables.apiKeys.create(made.row, noted)
        return toCreated(made)
      },
    }),
    defineRoute({
      ...{ ...one, path: `${one.path}/rotate`, method: 'POST', query },
      summary: 'Makes a key in the place of this one, which ends.',
      answer: apiKeyCreatedSchema,
      async handle(call) {
        const { principal } = call
        const { tables, clock, note } = platform()
        const old = await findKey(platform(), call)
        assertGrants(principal, roleSchema.parse(old.role))
        if (old.expires_at !== null && old.expires_at <= clock.now()) throw expired()
        await assertNoWider(platform(), principal, old)
        const made = craftKey(platform(), old)
        await copyBinding(platform(), principal, { from: old, to: made.row })
        const [before, after] = [toInfo(old), toInfo(made.row)]
        const happened = { ...changeOf(old), action: 'changed', before, after } as const
        const noted = { note: note(principal, happened) }
        await tables.apiKeys.rotate(old.key_id, made.row, clock.now(), noted)
        identity.forget()
        await endGrantsOf(platform(), old)
        return toCreated(made)
      },
    }),
    defineRoute({
      ...{ ...one, method: 'DELETE', query },
      summary:
        'Ends a key within a second, with the sign-ins and the grants of clients made with it.',
      async handle(call) {
        const { principal } = call
        const { tables, clock, note } = platform()
        const key = await findKey(platform(), call)
        assertGrants(principal, roleSchema.parse(key.role))
        const happened = { ...changeOf(key), action: 'removed', before: toInfo(key) } as const
        const noted = { note: note(principal, happened) }
        await tables.apiKeys.revoke(key.tenant_id, key.key_id, clock.now(), noted)
        identity.forget()
        await endGrantsOf(platform(), key)
        const { tenant_id, user_id, key_id } = key
        await platform().runs.cancelOf({ tenant_id, user_id, api_key: key_id })
      },
    }),
  ]
}

type KeyCall = Pick<
  Call<{ user_id: string }, { tenant_id?: string | undefined }>,
  'principal' | 'params' | 'query'
>

/** Whose keys are changed. What acts for another makes nothing that outlives it. */
function placeOf({ principal, params, query }: KeyCall): Owner {
  if (principal.acting_user !== undefined)
    throw new AppError('forbidden', 'Who acts for another does not manage their keys.')
  const { user_id } = ownerOf(principal, params.user_id)
  return { tenant_id: tenantOf(principal, query.tenant_id), user_id }
}

/** A key as it is stored, but for what makes it one. */
type KeyPlan = Pick<StoredKey, 'tenant_id' | 'user_id' | 'name' | 'role' | 'act_as' | 'expires_at'>

async function planKey(
  platform: Platform,
  by: Principal,
  { tenant_id, user_id, body }: Owner & { body: ApiKeyCreate },
): Promise<KeyPlan> {
  const user = await findManaged(platform, by, { tenant_id, user_id })
  const { name, role = mayGrant(by.role, user.role) ? user.role : by.role } = body
  assertGrants(by, role)
  assertGrants({ ...by, role: user.role }, role)
  const { act_as = false, expires_at = null } = body
  if (act_as && !mayAccess(by, 'admin'))
    throw new AppError('forbidden', 'Administrators alone make keys that act for others.')
  if (expires_at !== null && expires_at <= platform.clock.now()) throw expired()
  const plan = { tenant_id, user_id, name, role, act_as: act_as ? 1 : 0, expires_at }
  await assertNoWider(platform, by, plan)
  return plan
}

function craftKey({ craft, clock }: Platform, plan: KeyPlan): { key: string; row: StoredKey } {
  const { tenant_id, user_id, name, role, act_as, expires_at } = plan
  const { key, key_id } = craft.create()
  const times = { created_at: clock.now(), expires_at, revoked_at: null, last_used_at: null }
  const row = { tenant_id, user_id, name, role, act_as, key_id, ...craft.hash(key), ...times }
  return { key, row }
}

/** Who uses a key that was made narrow makes none that is wider. */
async function assertNoWider(
  { hub, tables }: Platform,
  by: Principal,
  plan: KeyPlan & { key_id?: string },
): Promise<void> {
  const { tenant_id, api_key } = by
  const isSame = api_key !== undefined && plan.key_id === api_key
  if (plan.act_as === 1 && !isSame && !mayAccess(by, 'admin'))
    throw new AppError('forbidden', 'Administrators alone make keys that act for others.')
  if (api_key === undefined || isSame) return
  if (hub.policy.allowList(tenant_id, { kind: 'api_key', id: api_key }))
    throw new AppError('forbidden', 'Your key is bound to tools: it makes no other keys.')
  const own = await tables.apiKeys.get(tenant_id, api_key)
  const until = own?.expires_at ?? null
  if (until === null || (plan.expires_at !== null && plan.expires_at <= until)) return
  const message = 'Your key expires: what it makes expires no later. See expires_at.'
  throw new AppError('forbidden', message, { data: { expires_at: until } })
}

async function endGrantsOf(platform: Platform, key: StoredKey): Promise<void> {
  const { tenant_id, user_id, key_id: user_key_id } = key
  await endGrants(platform, { tenant_id, user_id, user_key_id })
}

/** The tools that a key is bound to are those of the key in its place, from its first moment. */
async function copyBinding(
  { hub }: Platform,
  by: Principal,
  { from, to }: { from: StoredKey; to: StoredKey },
): Promise<void> {
  const list = hub.policy.allowList(from.tenant_id, { kind: 'api_key', id: from.key_id })
  if (list) await hub.policy.setAllowList(by, { kind: 'api_key', id: to.key_id }, list.entries)
}

/** The key that is to be changed. Throws `not_found`, also for a key of somebody else. */
async function findKey(
  platform: Platform,
  call: KeyCall & { params: { key_id: string } },
): Promise<StoredKey> {
  const [owner, { key_id }] = [placeOf(call), call.params]
  await findManaged(platform, call.principal, owner)
  const key = await platform.tables.apiKeys.get(owner.tenant_id, key_id)
  if (key?.user_id === owner.user_id) return key
  throw new AppError('not_found', `there is no API key ${key_id}`)
}

function toInfo(row: StoredKey): ApiKeyInfo {
  const { hashed_api_key: _hash, key_mac: _mac, pepper_kid: _kid, ...shown } = row
  return { ...shown, role: roleSchema.parse(row.role), act_as: row.act_as === 1 }
}

function toCreated({ key, row }: { key: string; row: StoredKey }): ApiKeyCreated {
  return { key, ...toInfo(row) }
}

function changeOf({ tenant_id, key_id }: Pick<StoredKey, 'tenant_id' | 'key_id'>) {
  return { tenant_id, kind: 'api_key', target: key_id } as const
}

function expired(): AppError {
  return new AppError('invalid_request', 'The key would be expired already: see expires_at.')
}
