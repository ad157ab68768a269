export {
  apiKeyLookup,
  createApiKey,
  createToken,
  type ParsedApiKey,
  parseApiKey,
} from './api-key.ts'
export type { SecretBinding } from './binding.ts'
export { createHasher, type HashedApiKey, type Hasher, shortestApiKey } from './hasher.ts'
export { createKeyCheck, verifyKeyCheck } from './key-check.ts'
export { ensureKeyFile, parseMasterKeys, readKeyFile } from './key-file.ts'
export { createKeyring, type Keyring, type KeyUse, type KeyWrapper } from './keyring.ts'
export { type KeyringSource, openKeyring } from './open-keyring.ts'
export {
  type RotateOptions,
  type RotationReport,
  rotateSecrets,
  type SealedRow,
} from './rotate-secrets.ts'
export { createVault, type Vault } from './vault.ts'
