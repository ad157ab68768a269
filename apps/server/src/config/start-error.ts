import { AppError } from '@dataagent/schema'
import type { Lang, Text } from './text.ts'

/** What ends the start because the operator must change something, in every language. */
export function createStartError(text: Text, cause: unknown): AppError {
  return new AppError('config_invalid', text.en, { data: { text }, cause })
}

/** What to tell of an error: in `lang` where it was made so, else its message. */
export function textOf(error: AppError, lang: Lang): string {
  const text = error.data?.text as Text | undefined
  return text?.[lang] ?? error.message
}
