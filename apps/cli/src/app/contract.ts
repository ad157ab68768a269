import type { SessionInfo } from '@dataagent/schema'
import type { KeyBindings } from '../input/index.ts'
import type { Link } from '../link/index.ts'
import type { FileServers, McpFiles } from '../mcp/index.ts'
import type { PlatformOptions } from '../platform/index.ts'
import type { ApprovalMode, Screen, Status, Theme, ThemeName } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'

/** What the interactive program is started with; it opens its platform by `openPlatform`. */
export interface InteractiveOptions extends PlatformOptions {
  version: string
}

/** What a person has chosen, kept between starts. */
export interface Preferences {
  theme: ThemeName | undefined
  lang: Lang | undefined
}

/** What the program knows of where it runs. */
export interface Machine {
  env: Readonly<Record<string, string | undefined>>
  isTty: boolean
  /** A person is at both ends: what comes is typed, and what is shown is seen. */
  isAttended: boolean
  /** Of a local platform, where it keeps everything. */
  dataDir: string
  logFile: string
}

/** The terminal program, as commands and keys use it. */
export interface App {
  readonly screen: Screen
  readonly theme: Theme
  readonly lang: Lang
  readonly status: Readonly<Status>
  /** The id of the agent that new sessions are with. */
  readonly assistant_id: string
  /** Undefined until the first message of a new one. */
  readonly session: SessionInfo | undefined
  readonly preferences: Preferences
  /** Where the agent works: its files, and where projects keep their configuration. */
  readonly folder: string
  readonly machine: Machine
  /** What the keys do, as the person has them. */
  readonly bindings: KeyBindings
  /** Where MCP configuration is looked for besides, and what was agreed to of it. */
  readonly mcpFiles: McpFiles
  readonly signal: AbortSignal
  /** Waits for a platform that is still starting. Rejects with words for people where it cannot. */
  link(): Promise<Link>
  /** Prints text of our own, for good; lines that are too long are wrapped. */
  say(text: string): void
  /** One line with the sign of what it is. */
  tell(kind: 'info' | 'good' | 'warn' | 'bad', text: string): void
  /** A list to choose from, in place of the prompt. Undefined where it was left. */
  choose<T>(title: string, items: readonly Choice<T>[]): Promise<T | undefined>
  /** Undefined where it was left. */
  askText(
    title: string,
    options?: { isSecret?: boolean; initial?: string },
  ): Promise<string | undefined>
  /** No where it was left. */
  confirm(question: string): Promise<boolean>
  /** Shows another session, with what was said in it; without an id begins a new one. */
  open(session_id: string | undefined): Promise<void>
  /** Work that waits for others: it is seen to go on, and Esc and Ctrl-C abort its signal. */
  stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Goes on with the turn that failed. Rejects where the platform has nothing to go on with. */
  resumeTurn(): Promise<void>
  /** The agent of new sessions; begins one. */
  setAgent(assistant_id: string): Promise<void>
  setApprovalMode(mode: ApprovalMode): Promise<void>
  setPreferences(change: Partial<Preferences>): Promise<void>
  /** Reads the MCP configuration again, and has the platform use it. */
  reloadServers(): Promise<FileServers>
  /** Opens the person's own editor for the next message, with what is typed of it so far. */
  openEditor(): Promise<void>
  /** Sends a message as if it was typed. */
  send(message: string): void
  redraw(): void
  quit(): void
}

export interface Choice<T> {
  value: T
  label: string
  about?: string | undefined
}
