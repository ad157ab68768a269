export type { SessionRef, SessionRow, SessionRows, Sessions } from './contract.ts'
export { createSessions, type HeldSessions } from './sessions.ts'
