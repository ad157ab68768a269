import { toPlainLine } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import { faults, somethingWrong } from './words.ts'

/** What has gone wrong, as one line that says what to do. */
export function explainError(error: unknown, lang: Lang): string {
  const { error_code, message } = error as { error_code?: unknown; message?: unknown }
  const known = typeof error_code === 'string' ? faults[error_code] : undefined
  if (known) return known[lang]
  const told = typeof message === 'string' && message !== '' ? message : String(error)
  return somethingWrong(toPlainLine(told, 300))[lang]
}
