import { searchReader } from './read-search.ts'

/** What each section keeps in its address, so that a view can be sent on and come back to. */
export const readTenantsSearch = searchReader({ numbers: ['offset'] })
export const readUsersSearch = searchReader({ texts: ['tenant', 'user', 'q'], numbers: ['offset'] })
export const readRegistrySearch = searchReader({
  texts: ['tab', 'owner', 'agent', 'q', 'server', 'offer'],
  numbers: ['offset'],
})
export const readPoliciesSearch = searchReader({ texts: ['tab', 'user', 'agent', 'tool'] })
export const readAuditSearch = searchReader({
  texts: [
    ...(['tab', 'user', 'agent', 'server', 'tool', 'status', 'session', 'trace', 'call'] as const),
    ...(['kind', 'target', 'platform'] as const),
  ],
  numbers: ['from', 'to', 'offset'],
})
export const readUsageSearch = searchReader({ texts: ['by', 'tenant'], numbers: ['days'] })
export const readWorkspacesSearch = searchReader({ texts: ['tenant', 'q'], numbers: ['offset'] })
export const readMemorySearch = searchReader({ texts: ['agent'] })
export const readSystemSearch = searchReader({ texts: ['q', 'origin'] })

export type TenantsSearch = ReturnType<typeof readTenantsSearch>
export type UsersSearch = ReturnType<typeof readUsersSearch>
export type RegistrySearch = ReturnType<typeof readRegistrySearch>
export type PoliciesSearch = ReturnType<typeof readPoliciesSearch>
export type AuditSearch = ReturnType<typeof readAuditSearch>
export type UsageSearch = ReturnType<typeof readUsageSearch>
export type WorkspacesSearch = ReturnType<typeof readWorkspacesSearch>
export type MemorySearch = ReturnType<typeof readMemorySearch>
export type SystemSearch = ReturnType<typeof readSystemSearch>
