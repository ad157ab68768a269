export { type CommandTemplate, createTemplateMatcher } from './command-template.ts'
export {
  type ChangedServerRow,
  type CredentialInput,
  type CredentialRow,
  type Edition,
  type EditionRow,
  platformTenant,
  type RegisteredServer,
  type RegisterServer,
  type ResolvedServer,
  type ServerChange,
  type ServerGate,
  type ServerQuota,
  type ServerRow,
  type ServerRows,
  type ServerScope,
  type Servers,
} from './contract.ts'
export { originOf } from './edition-id.ts'
export { isSeenAt } from './editions.ts'
export { createFileServers, type FileOwner, type FileServers } from './file-servers.ts'
export { createServerGate, type ServerGateOptions, toCommand } from './server-gate.ts'
export { assertMayChange, isVisible, scopeOf } from './server-rights.ts'
export { createServers, type ServersOptions } from './servers.ts'
export { type ServerState, toServerInfo } from './to-server-info.ts'
