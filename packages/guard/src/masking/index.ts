export { createMasker, type Masker, type MaskerLimits, type MaskerOptions } from './masker.ts'
export { createSecretKeyTest } from './secret-keys.ts'
export { type Spelling, toSpellings } from './spellings.ts'
