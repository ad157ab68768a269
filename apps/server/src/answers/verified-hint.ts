import type { Principal } from '@dataagent/hub'
import type { DataQuestion, DataSource } from '@dataagent/schema'

export interface VerifiedHintMeans {
  /** Questions that the principal may use, with a matcher that is kept while they do not change. */
  matcherOf(principal: Principal): Promise<Matcher>
  sources: { list(principal: Principal): Promise<DataSource[]> }
}

/** Finds the question that someone's words mean. */
export interface Matcher {
  match(text: string): { question: DataQuestion } | undefined
}

/**
 * What the model is told of a verified question that the message means; empty where it means none.
 * The demo model reads it by this form, and others as words.
 */
export async function toVerifiedHint(
  { matcherOf, sources }: VerifiedHintMeans,
  principal: Principal,
  text: string,
): Promise<string> {
  const found = (await matcherOf(principal)).match(text)?.question
  if (found === undefined) return ''
  const source = (await sources.list(principal)).find(
    ({ source_id, enabled }) => source_id === found.source_id && enabled,
  )
  if (source === undefined) return ''
  return [
    'An administrator has verified a query for what the user asks. Run it as it stands with',
    'run_sql, unless the user asks for something else; then show a chart if one fits.',
    `<verified_question source="${source.name.replaceAll(/["\n]/g, ' ')}">`,
    `<question>${found.question.replaceAll(/\s+/g, ' ')}</question>`,
    `<sql>\n${found.sql}\n</sql>`,
    '</verified_question>',
  ].join('\n')
}
