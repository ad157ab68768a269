export {
  askAgreement,
  createProgramShell,
  type McpShell,
  openPage,
  runMcpAction,
  runMcpLine,
} from './actions/index.ts'
export { connectServers } from './connect-servers.ts'
export type { FileServers, McpFiles } from './contract.ts'
export { loadServers } from './load-servers.ts'
export { warningsOf } from './read-servers.ts'
export { createTrustStore } from './trust/trust-store.ts'
