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
export {
  createSessionManager,
  type SessionManager,
  type SessionManagerOptions,
  type SessionOwner,
} from './session-manager.ts'
export { createTurnSaver, type TurnSaver, type TurnSaverOptions } from './turn-saver.ts'
