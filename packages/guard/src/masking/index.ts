export { createMasker, type Masker, type MaskerLimits, type MaskerOptions } from './masker.ts'
export { type Spelling, toSpellings } from './spellings.ts'
