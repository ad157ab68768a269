export {
  type AdminKey,
  ensureAdminKey,
  makeAdminKey,
  type NewAdminKey,
  operator,
} from './admin-key.ts'
export { refuseSecretsInUrl } from './carriers.ts'
export { createIdentity, type Identity } from './identity.ts'
export { createOidc, type Oidc } from './oidc/oidc.ts'
export { isOwnOrigin } from './own-origin.ts'
export type { KeyCraft, KeyStores } from './ports.ts'
export {
  type Access,
  type Caller,
  jointRole,
  mayAccess,
  mayGrant,
  type Principal,
} from './principal.ts'
export { seedOperator } from './seed.ts'
export type { StillMay } from './still-may.ts'
