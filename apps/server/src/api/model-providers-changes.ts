import { platformTenant } from '@dataagent/hub'
import { AppError, type ProviderCreate, type ProviderUpdate } from '@dataagent/schema'
import { sealProviderKey } from '../agents/index.ts'
import { mayAccess, type Principal } from '../identity/index.ts'
import type { Platform } from '../platform/index.ts'
import type { ProviderRow } from '../ports/index.ts'
import { refusingTwice } from './duplicate.ts'
import { tenantQuotas } from './quotas.ts'

/** The providers that a tenant may use, as they are stored now, whichever process changed them. */
export async function listProviders(
  { agents }: Platform,
  { tenant_id }: Principal,
): Promise<readonly ProviderRow[]> {
  await Promise.all([agents.reload(tenant_id), agents.reload(platformTenant)])
  return agents.providers(tenant_id)
}

/**
 * The provider that the caller may change, as it is stored now: the tenant's, or the platform's for
 * those who manage it.
 */
export async function findProvider(
  platform: Platform,
  principal: Principal,
  provider_id: string,
): Promise<ProviderRow> {
  const rows = await listProviders(platform, principal)
  const row = rows.find((one) => one.provider_id === provider_id)
  if (row === undefined) throw unknown(provider_id)
  if (row.tenant_id === platformTenant) requirePlatform(principal)
  return row
}

export async function addProvider(
  platform: Platform,
  principal: Principal,
  { scope, api_key: key, ...settings }: ProviderCreate,
): Promise<ProviderRow> {
  if (scope === 'platform') requirePlatform(principal)
  requirePlainUrl(settings.base_url)
  const now = platform.clock.now()
  const tenant_id = scope === 'platform' ? platformTenant : principal.tenant_id
  const ref = { tenant_id, provider_id: settings.provider_id }
  const api_key = key && (await sealProviderKey(platform.vault, ref, key))
  const row: ProviderRow = { ...settings, tenant_id, api_key, created_at: now, updated_at: now }
  const note = noteOf(platform, principal, { action: 'added', after: row })
  const adding = platform.tables.providers.create(row, { note, max: tenantQuotas.providers })
  await refusingTwice(`a model provider ${row.provider_id}`, adding)
  await tell(platform, row)
  return row
}

export async function changeProvider(
  platform: Platform,
  principal: Principal,
  { provider_id, update }: { provider_id: string; update: ProviderUpdate },
): Promise<ProviderRow> {
  const before = await findProvider(platform, principal, provider_id)
  const { api_key: _, ...settings } = update
  const changed = { ...before, ...settings, updated_at: platform.clock.now() }
  requirePlainUrl(changed.base_url)
  const after = { ...changed, api_key: await toStoredKey(platform, { before, changed, update }) }
  const note = noteOf(platform, principal, { action: 'changed', before, after })
  const stored = await platform.tables.providers.update(after, { note })
  await tell(platform, stored)
  return stored
}

export async function removeProvider(
  platform: Platform,
  principal: Principal,
  provider_id: string,
): Promise<void> {
  const before = await findProvider(platform, principal, provider_id)
  const note = noteOf(platform, principal, { action: 'removed', before })
  const isGone = await platform.tables.providers.delete(before.tenant_id, provider_id, { note })
  await tell(platform, before)
  if (!isGone) throw unknown(provider_id)
}

/** A key is kept only for the place that it was given for: else it could be sent to anyone. */
async function toStoredKey(
  { vault }: Platform,
  {
    before,
    changed,
    update: { api_key: given },
  }: { before: ProviderRow; changed: ProviderRow; update: ProviderUpdate },
): Promise<string | null> {
  if (given === null) return null
  if (given !== undefined && 'reveal' in given) return sealProviderKey(vault, before, given)
  if (before.api_key === null || placeOf(before) === placeOf(changed)) return before.api_key
  throw new AppError('invalid_request', 'The address has changed: give api_key again.', {
    data: { errors: [{ path: 'api_key', expected: 'the key for the new address', got: 'none' }] },
  })
}

function placeOf({ kind, base_url }: ProviderRow): string {
  return JSON.stringify([kind, base_url && new URL(base_url).origin])
}

/** What is in an address is shown and noted: a password does not belong there. */
function requirePlainUrl(base_url: string | null): void {
  const url = base_url === null ? null : new URL(base_url)
  if (!url?.username && !url?.password) return
  throw new AppError('invalid_request', 'base_url must not hold a user or a password.', {
    data: { errors: [{ path: 'base_url', expected: 'no credentials in it', got: 'credentials' }] },
  })
}

function requirePlatform(principal: Principal): void {
  if (mayAccess(principal, 'platform_admin')) return
  throw new AppError(
    'forbidden',
    "Only an administrator of the platform may change the platform's providers.",
  )
}

type Change = { action: 'added' | 'changed' | 'removed'; before?: ProviderRow; after?: ProviderRow }

/** Of the key only whether there is one. */
function noteOf({ note }: Platform, by: Principal, { action, before, after }: Change) {
  const { tenant_id, provider_id: target } = (after ?? before) as ProviderRow
  const shown = (row?: ProviderRow) => row && { ...row, api_key: row.api_key !== null }
  const kind = 'model_provider' as const
  return note(by, { tenant_id, kind, target, action, before: shown(before), after: shown(after) })
}

/** Here at once, elsewhere as soon as they hear of it. */
async function tell({ agents, hub }: Platform, { tenant_id }: ProviderRow): Promise<void> {
  await agents.reload(tenant_id)
  await hub.revisions.publish(tenant_id, 'agents')
}

function unknown(provider_id: string): AppError {
  return new AppError('not_found', `there is no model provider ${provider_id}`)
}
