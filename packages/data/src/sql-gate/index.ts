export { checkStatement } from './check-statement.ts'
export type { Dialect } from './dialects.ts'
export { cutSql, type Token } from './tokens.ts'
export type { Verb } from './verbs.ts'
