import { AppError } from '@dataagent/schema'
import type { Text } from './text.ts'

/** What ends the start because the operator must change something, in every language. */
export function createStartError(text: Text, cause: unknown): AppError {
  return new AppError('config_invalid', text.en, { data: { text }, cause })
}
