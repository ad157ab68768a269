export type {
  SchemaJudgement,
  Validation,
  Validator,
} from './contract.ts'
export type { SchemaLimits } from './schema-limits.ts'
export { createValidator, type ValidatorOptions } from './validator.ts'
