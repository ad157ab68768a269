import { toPattern } from './to-pattern.ts'

/** A question whose SQL somebody has verified, as the system prompt tells of it. */
export interface VerifiedQuestion {
  source: string
  question: string
  sql: string
}

const verified = toPattern('')`
  <verified_question\s{1,3}source="([^"\n]{1,200})">\n<question>([^\n]{0,600})</question>\n
  <sql>\n([\s\S]{1,20000}?)\n</sql>`

export function readVerified(system: string): VerifiedQuestion | undefined {
  const [, source, question, sql] = verified.exec(system) ?? []
  return source && sql ? { source, question: question ?? '', sql } : undefined
}
