import type { QueryResult } from '@dataagent/schema'
import type { ProgramContext } from '../programs/index.ts'
import { createTheme, renderQuery } from '../ui/index.ts'

/** Of a pipe, which has none: what reads it may cut. */
const pipeWidth = 200

/** The first rows of queries, without colours. */
export function toTables(
  queries: readonly QueryResult[],
  { env, lang, stdout }: Pick<ProgramContext, 'env' | 'lang' | 'stdout'>,
): string[] {
  const theme = createTheme({ env: { ...env, NO_COLOR: '1' }, isTty: false })
  const width = stdout.columns ?? pipeWidth
  return queries.map((query) =>
    renderQuery(query, { extent: 'whole' }, { theme, lang }, width).lines.join('\n'),
  )
}
