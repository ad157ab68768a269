export { type AdminKey, ensureAdminKey, makeAdminKey, seedOperator } from './admin-key.ts'
export { createAuthenticate } from './authenticate.ts'
export type { KeyStores } from './ports.ts'
export { type Access, mayAccess, type Principal } from './principal.ts'
