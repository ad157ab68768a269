import type { GlobalOptions } from '../args/index.ts'
import type { Lang } from '../words/index.ts'

/** What decides which platform is used, and how it is found. */
export interface PlatformOptions {
  options: GlobalOptions
  env: Readonly<Record<string, string | undefined>>
  /** The user's own folder. */
  home: string
  /** Where the program was started. */
  cwd: string
  lang: Lang
  /** One line for people. */
  warn(line: string): void
  signal?: AbortSignal | undefined
}
