export type {
  FairSlots,
  Limiter,
  LimitVerdict,
  Slot,
} from './contract.ts'
export { createFairSlots } from './fair-slots.ts'
export { createLimiter } from './limiter.ts'
