export type {
  LogEntry,
  LoggedEntry,
  MessageStore,
  Page,
  SessionChange,
  SessionLog,
  SessionStore,
  SessionStores,
  StoredMessage,
} from './contract.ts'
export { createMemorySessionStore } from './memory-session-store.ts'
export {
  createRunLeases,
  type RunLease,
  type RunLeases,
  type RunLeasesOptions,
} from './run-leases.ts'
