export { createMasker, type Masker, type MaskerLimits, type MaskerOptions } from './masker.ts'
