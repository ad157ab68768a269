export type {
  LoggedEntry,
  MessageStore,
  SessionLog,
  SessionSearch,
  SessionStore,
  SessionStores,
} from './contract.ts'
export { createMemorySessionStore } from './memory-session-store.ts'
export { readLast, readPages } from './read-pages.ts'
export {
  createRunLeases,
  type OwnRunLeases,
  type RunLease,
  type RunLeases,
} from './run-leases.ts'
export {
  createSessionManager,
  type SessionManager,
  type SessionManagerOptions,
  type SessionOwner,
} from './session-manager.ts'
export { createTurnSaver } from './turn-saver.ts'
