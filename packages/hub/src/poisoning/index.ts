export type {
  Finding,
  FindingKind,
} from './contract.ts'
export { takeOutHidden, toVisible } from './hidden-characters.ts'
export { scanText } from './instructions.ts'
export { scanDefinition, textLimits } from './scan-definition.ts'
export { toSkeleton } from './skeleton.ts'
