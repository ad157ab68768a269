import type { QueryOf } from '@dataagent/client'
import type { CallsExportQuery, ChangesQuery } from '@dataagent/schema'
import type { AuditSearch } from '../searches.ts'

/** Calls that the address asks for; a status that there is not is the server's to refuse. */
export function toCallFilters(search: AuditSearch): QueryOf<Omit<CallsExportQuery, 'format'>> {
  const { user, agent, server, tool, status, session, trace, from, to } = search
  return {
    ...{ user_id: user, agent_id: agent, server_id: server, tool_name: tool },
    status: status as CallsExportQuery['status'],
    ...{ session_id: session, trace_id: trace, from, to },
  }
}

/** Changes that it asks for. */
export function toChangeFilters(search: AuditSearch): QueryOf<ChangesQuery> {
  const { user, kind, target, platform, from, to } = search
  return {
    ...{ user_id: user, target, from, to },
    kind: kind as ChangesQuery['kind'],
    platform: platform === 'true' ? 'true' : undefined,
  }
}

/** Whether anything but the part of the list is asked for. */
export function isFiltered(filters: object): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
