export type { CommandTemplate } from './command-template.ts'
export {
  type ChangedServerRow,
  type CredentialInput,
  type CredentialRow,
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
export { createServerGate, type ServerGateOptions } from './server-gate.ts'
export { assertMayChange, isVisible } from './server-rights.ts'
export { createServers, type ServersOptions } from './servers.ts'
export { type ServerState, toServerInfo } from './to-server-info.ts'
