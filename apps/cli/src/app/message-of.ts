import { toPlain } from '../ui/index.ts'

/** What went wrong, in words, safe to be shown. */
export function messageOf(error: unknown): string {
  return toPlain(error instanceof Error ? error.message : String(error))
}
