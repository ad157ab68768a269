import type { ThemeName } from '../ui/index.ts'
import type { Lang, Text } from '../words/index.ts'

/** What a flag takes; `completes` says how a shell may fill it in. */
export interface FlagValue {
  /** Such as URL, for people. */
  name: string
  completes: 'nothing' | 'files' | 'folders' | readonly string[]
  /** The value may be left out. */
  isOptional?: boolean
}

/** One flag of the table that parsing, help and completions are made from. */
export interface Flag {
  /** Without its dashes. */
  name: string
  short?: string
  /** Another name of the same. */
  alias?: string
  value?: FlagValue
  isRepeatable?: boolean
  about: Text
}

export interface Example {
  line: string
  about: Text
}

/** One command, or one action of a command that has several. */
export interface CommandSpec {
  name: string
  /** What stands after the name; empty where nothing does. */
  usage: string
  about: Text
  /** Beside those of every command. */
  flags: readonly Flag[]
  actions?: readonly CommandSpec[]
  /** What the first words after the name may be, where they are known. */
  words?: readonly string[]
  /**
   * `known`: other flags are wrong. `own`: the command reads all but ours by itself. `all`: it gets
   * every word as it is.
   */
  reads: 'known' | 'own' | 'all'
  /** Further paragraphs of its help. */
  notes?: readonly Text[]
  examples: readonly Example[]
}

/** Which session is shown first. */
export type Resume = { kind: 'choose' } | { kind: 'last' } | { kind: 'session'; session_id: string }

/** What may be said before or after every command. */
export interface GlobalOptions {
  server: string | undefined
  apiKey: string | undefined
  apiKeyFile: string | undefined
  assistant_id: string | undefined
  mcpConfigs: readonly string[]
  trustsProjectMcp: boolean
  folder: string | undefined
  dataDir: string | undefined
  lang: Lang | undefined
  theme: ThemeName | undefined
  resume: Resume | undefined
  isPlain: boolean
}

/** What was given of a command's own flags: by name, each value once for each time it was said. */
export type FlagValues = ReadonlyMap<string, readonly string[]>

export type Invocation =
  | { kind: 'interactive'; options: GlobalOptions }
  | {
      kind: 'command'
      command: string
      /** Words that are no flags. */
      words: readonly string[]
      flags: FlagValues
      /** Where the command reads them itself: all that was not ours. */
      rest: readonly string[]
      options: GlobalOptions
    }
  | { kind: 'help'; topic: readonly string[]; options: GlobalOptions }
  | { kind: 'version' }
  | { kind: 'wrong'; problem: Text; options: GlobalOptions }
