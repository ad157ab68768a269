import type { App } from '../../app/index.ts'
import type { Link } from '../../link/index.ts'
import type { Theme } from '../../ui/index.ts'
import type { Lang } from '../../words/index.ts'
import type { FileServers } from '../contract.ts'
import type { ConfigPlace } from '../place.ts'
import type { TrustStore } from '../trust/trust-store.ts'

/** How a person is asked. */
export type Asking = Pick<App, 'choose' | 'confirm' | 'askText'>

/** What `/mcp …` and `dataagent mcp …` have around them, each in its own way. */
export interface McpShell {
  link: Pick<Link, 'kind' | 'url' | 'client' | 'user_id'>
  lang: Lang
  theme: Theme
  signal: AbortSignal
  place: ConfigPlace
  trust: TrustStore
  /** What stands before the name of an action: `/mcp` or `dataagent mcp`. */
  called: string
  /** One line, with the colours of the theme. */
  write(line: string): void
  /** Has a local platform use the files as they are now, and asks about those of a project. */
  reload(): Promise<FileServers>
  /** Undefined where nobody can be asked. */
  ask: Asking | undefined
  /** Shows a page in the person's browser; false where that cannot be. */
  openPage(url: string): Promise<boolean>
}

export interface Words {
  /** What stands after the name of the action, taken apart as a shell does. */
  words: readonly string[]
  /** The same as it was typed, where it was typed as one text. */
  text: string
}

/** Resolves with the exit code: 0, 1 where it failed, 2 where it was called wrongly. */
export type Action = (words: Words, shell: McpShell) => Promise<number>
