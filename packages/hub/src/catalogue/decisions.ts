import type { Clock } from '@dataagent/guard'
import { AppError, isAppError, readJson } from '@dataagent/schema'
import type { Note } from '../changes/index.ts'
import type { Finding } from '../poisoning/index.ts'
import { isActive, isAdministrator, isPlatformAdministrator, type Principal } from '../principal.ts'
import { platformTenant, type RegisteredServer } from '../servers/index.ts'
import type { ToolRef } from '../tool-ref.ts'
import type { CatalogueTool, ToolRows, ToolVersionRow } from './contract.ts'
import { neutraliseStored } from './read-definition.ts'
import { isUnusable, standingOf, toRow, withStanding } from './row.ts'
import type { Group, Known, ToolMemory } from './tool-memory.ts'
import { withdraw } from './withdraw.ts'

export interface DecisionsOptions {
  memory: ToolMemory
  rows: Pick<ToolRows, 'put' | 'approve' | 'listVersions'>
  clock: Clock
  serially<T>(work: () => Promise<T>): Promise<T>
  load(group: Group): Promise<void>
  publish(tenant_id: string): void
  note: Note
}

/** What administrators, and owners of their own servers, decide on definitions. */
export function createDecisions(options: DecisionsOptions) {
  const { memory, rows, clock, serially, load, publish, note } = options

  async function decide(known: Known, tool: CatalogueTool, write: () => Promise<number>) {
    const { group } = known
    try {
      await write()
    } catch (error) {
      if (isAppError(error, 'conflict')) await load(group)
      throw error
    }
    memory.set(group, tool, { stored: { ...standingOf(tool), seen_at: tool.seen_at } })
    // Where the server offers another one by now, or none, that counts here until its next list.
    if (group.observations > 0) withdraw(known, { isPinned: true })
    memory.renew(group)
    publish(tool.tenant_id)
    return tool
  }

  /** The version that the administrator has seen, if it is still the one that waits. */
  async function findSeen({ tool }: Known, hash: string): Promise<ToolVersionRow> {
    const versions = await rows.listVersions(tool)
    const number = tool.pending_version ?? tool.version
    const version = versions.find((row) => row.version === number)
    if (version?.hash === hash) return version
    throw conflict(tool, 'has changed since you looked; look at it again')
  }

  return {
    approve: (principal: Principal, ref: ToolRef, hash: string) =>
      serially(async () => {
        const known = findFor(memory, principal, ref)
        const { tool } = known
        const seen = await findSeen(known, hash)
        if (tool.state === 'active') return tool
        if (tool.state === 'gone') throw conflict(tool, 'is no longer offered by its server')
        const approved = toApproved(tool, seen)
        const by = { approved_at: clock.now(), approved_by: principal.user_id }
        const change = { row: toRow(approved), before: beforeOf(known) }
        const noted = note(principal, toDecided('approved', tool, approved))
        return decide(known, approved, () => rows.approve(change, by, noted))
      }),

    reject: (principal: Principal, ref: ToolRef, hash: string) =>
      serially(async () => {
        const known = findFor(memory, principal, ref)
        const { tool } = known
        await findSeen(known, hash)
        if (tool.state === 'rejected') return tool
        const pending_version = tool.pending_version ?? tool.version
        const standing = { ...standingOf(tool), state: 'rejected' as const, pending_version }
        const rejected = withStanding(tool, standing)
        const change = { row: toRow(rejected), before: beforeOf(known) }
        const noted = note(principal, toDecided('rejected', tool, rejected))
        return decide(known, rejected, () => rows.put([change], [], { note: noted }))
      }),
  }
}

function toDecided(action: 'approved' | 'rejected', was: CatalogueTool, is: CatalogueTool) {
  const { tenant_id, server_id, name } = was
  const place = { tenant_id, kind: 'tool' as const, target: `${server_id}/${name}` }
  return { ...place, action, before: standingOf(was), after: standingOf(is) }
}

function beforeOf({ stored }: Known) {
  if (stored === undefined) return undefined
  const { state, version, hash, pending_version } = stored
  return { state, version, hash, pending_version }
}

function toApproved(tool: CatalogueTool, seen: ToolVersionRow): CatalogueTool {
  const findings = readJson(seen.findings) as Finding[]
  if (isUnusable({ findings })) {
    const why = findings.find(({ kind }) => kind === 'unusable')?.message
    throw new AppError('invalid_request', `the tool ${tool.name} cannot be used: ${why}`)
  }
  const definition = neutraliseStored(seen.definition)
  const own = { state: 'active', version: seen.version, hash: seen.hash } as const
  return withStanding({ ...tool, definition, findings }, { ...own, pending_version: null })
}

/** Throws `not_found` for what the caller may not see, `forbidden` for what they may not decide. */
function findFor(memory: ToolMemory, principal: Principal, ref: ToolRef): Known {
  const known = memory.find(principal.tenant_id, ref)
  const server = known && !known.own ? memory.serverOf(known.group) : undefined
  const isOthers = server?.user_id && server.user_id !== principal.user_id
  const isHidden = isOthers && !isAdministrator(principal)
  if (!known || !server || isHidden) throw new AppError('not_found', 'there is no such tool')
  if (!mayDecide(principal, server)) {
    throw new AppError(
      'forbidden',
      'only an administrator decides on the tools of a shared server, and its owner on their own',
    )
  }
  return known
}

/** An agent, or a group of the gateway, does not decide on what it may use. */
function mayDecide(principal: Principal, server: RegisteredServer): boolean {
  if (principal.agent_id !== undefined || principal.group_id !== undefined) return false
  if (server.tenant_id === platformTenant) return isPlatformAdministrator(principal)
  if (isAdministrator(principal)) return true
  return isActive(principal) && server.user_id !== null && server.user_id === principal.user_id
}

function conflict({ name }: CatalogueTool, what: string): AppError {
  return new AppError('conflict', `the tool ${name} ${what}`)
}
