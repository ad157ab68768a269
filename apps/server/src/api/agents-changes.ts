import {
  type AgentCreate,
  type AgentDefinition,
  type AgentInfo,
  type AgentUpdate,
  AppError,
} from '@dataagent/schema'
import { builtInId } from '../agents/index.ts'
import { mayAccess, type Principal } from '../identity/index.ts'
import type { Platform } from '../platform/index.ts'
import type { AgentRow } from '../ports/index.ts'
import { refusingTwice } from './duplicate.ts'
import { tenantQuotas } from './quotas.ts'
import { requireAutoApprove } from './sessions-update.ts'

/** Those that one may chat with; all of them, as they are stored now, for who sets them up. */
export async function listAgents(
  { agents }: Platform,
  principal: Principal,
  all: boolean,
): Promise<AgentInfo[]> {
  const { tenant_id } = principal
  if (!all) return agents.list(tenant_id)
  if (!mayAccess(principal, 'admin'))
    throw new AppError('forbidden', 'Only administrators see agents that are switched off.')
  await agents.reload(tenant_id)
  return agents.listAll(tenant_id)
}

/** The agent as it is stored now, whichever process has changed it last. */
export async function findAgent(
  { agents }: Platform,
  { tenant_id }: Principal,
  assistant_id: string,
): Promise<AgentRow> {
  await agents.reload(tenant_id)
  const row = agents.get(tenant_id, assistant_id)
  if (row) return row
  throw new AppError('not_found', `there is no agent ${assistant_id}`)
}

export async function addAgent(
  platform: Platform,
  principal: Principal,
  agent: AgentCreate,
): Promise<AgentRow> {
  const now = platform.clock.now()
  const { tenant_id } = principal
  const row: AgentRow = { ...agent, tenant_id, created_at: now, updated_at: now }
  await check(platform, principal, { after: row })
  const note = noteOf(platform, principal, { action: 'added', after: row })
  const adding = platform.tables.agents.create(row, { note, max: tenantQuotas.agents })
  await refusingTwice(`an agent ${row.assistant_id}`, adding)
  await tell(platform, tenant_id)
  return row
}

/** Of the built-in agent the first change makes a row. */
export async function changeAgent(
  platform: Platform,
  principal: Principal,
  { assistant_id, update }: { assistant_id: string; update: AgentUpdate },
): Promise<AgentRow> {
  const before = await findAgent(platform, principal, assistant_id)
  const after: AgentRow = { ...before, ...update, updated_at: platform.clock.now() }
  await check(platform, principal, { before, after })
  const note = noteOf(platform, principal, { action: 'changed', before, after })
  const { agents } = platform.tables
  const isBuiltIn = before.created_at === 0
  const stored = isBuiltIn ? { ...after, created_at: after.updated_at } : after
  const changed = isBuiltIn
    ? await agents.create(stored, { note }).then(() => stored)
    : await agents.update(stored, { note })
  await tell(platform, principal.tenant_id)
  return changed
}

export async function removeAgent(
  platform: Platform,
  principal: Principal,
  assistant_id: string,
): Promise<void> {
  const { tenant_id } = principal
  const before = await findAgent(platform, principal, assistant_id)
  const note = noteOf(platform, principal, { action: 'removed', before })
  const isGone = await platform.tables.agents.delete(tenant_id, assistant_id, { note })
  await tell(platform, tenant_id)
  if (isGone) return
  if (assistant_id !== builtInId)
    throw new AppError('not_found', `there is no agent ${assistant_id}`)
  throw new AppError('conflict', 'The built-in agent cannot be removed: switch it off instead.')
}

/** What no agent can be made of is refused here, not at the first message. */
async function check(
  platform: Platform,
  principal: Principal,
  { before, after: row }: { before?: AgentRow; after: AgentRow },
): Promise<void> {
  requireSandbox(principal, row)
  if (row.auto_approve && !before?.auto_approve) requireAutoApprove(platform, principal)
  await platform.agents.check(row)
}

/** Commands outside of a sandbox have what the server has: not for a tenant's own to give. */
function requireSandbox(principal: Principal, { enable_shell, sandbox_type }: AgentDefinition) {
  if (!enable_shell || sandbox_type === 'bubblewrap' || mayAccess(principal, 'platform_admin'))
    return
  throw new AppError(
    'forbidden',
    'Only who manages the platform may give an agent a shell without sandbox_type bubblewrap.',
  )
}

type Change = { action: 'added' | 'changed' | 'removed'; before?: AgentRow; after?: AgentRow }

function noteOf({ note }: Platform, by: Principal, { action, before, after }: Change) {
  const target = (after ?? before)?.assistant_id ?? ''
  return note(by, { tenant_id: by.tenant_id, kind: 'agent', target, action, before, after })
}

/** Here at once, elsewhere as soon as they hear of it. */
async function tell({ agents, hub }: Platform, tenant_id: string): Promise<void> {
  await agents.reload(tenant_id)
  await hub.revisions.publish(tenant_id, 'agents')
}
