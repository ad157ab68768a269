import type { SentEvent } from '@dataagent/schema'
import type { Component } from '@earendil-works/pi-tui'

/** Adds the escape sequences of a style, or none where the terminal has no colours. */
export type Paint = (text: string) => string

export const themeNames = ['dark', 'light', 'mono'] as const
export type ThemeName = (typeof themeNames)[number]

/** Colours and signs. Nothing else in the program writes an escape sequence for a colour. */
export interface Theme {
  name: ThemeName
  hasColor: boolean
  /** Signs are ASCII only. */
  isAscii: boolean
  accent: Paint
  dim: Paint
  strong: Paint
  emphasis: Paint
  strike: Paint
  underline: Paint
  good: Paint
  bad: Paint
  warn: Paint
  code: Paint
  heading: Paint
  link: Paint
  added: Paint
  removed: Paint
  glyphs: Glyphs
}

export interface Glyphs {
  prompt: string
  bullet: string
  /** Of a call or a step that ended well, badly, was stopped, waits for a person, has not begun. */
  done: string
  failed: string
  stopped: string
  waiting: string
  pending: string
  /** Frames of the spinner. */
  spinner: readonly string[]
  /** Horizontal line, and the eight heights of a bar or sparkline. */
  line: string
  blocks: readonly string[]
  ellipsis: string
}

/**
 * What is shown on the terminal's main screen: lines that were printed stay as they are and scroll
 * away with the terminal's own scrollback; below them is the live area, which is drawn anew when it
 * changes. All text that is given here must be free of control characters but for the theme's.
 */
export interface Screen extends Disposable {
  readonly columns: number
  readonly rows: number
  /** Above the live area, for good. */
  print(lines: readonly string[]): void
  /** What the live area shows, top to bottom; drawn before the next frame. */
  setLive(components: readonly Component[]): void
  /** Who gets the keys, and has the cursor where it puts the cursor's mark. */
  focus(component: Component | undefined): void
  /** Whoever it is that has the keys, this is asked first; true: it was for this one. */
  onKey(handle: (data: string) => boolean): () => void
  onResize(handle: () => void): () => void
  requestRender(): void
  /** Another program has the terminal: its keys and signals are not for us. */
  readonly isLent: boolean
  /** Gives the terminal to another program meanwhile, whole and in its ordinary mode. */
  lend<T>(work: () => Promise<T>): Promise<T>
  /**
   * Puts a text on the clipboard of the person's own machine, by the sequence of
   * `toClipboardSequence`; false where the terminal takes none or the text is too long for it.
   */
  copy(text: string): boolean
  /** Draws once more all that is live, for Ctrl+L. */
  redraw(): void
  /** Takes the live area away and restores the terminal. Idempotent. */
  close(): void
}

/** The conversation as lines: one renderer for each type of event [D9]. */
export interface Transcript {
  /** Every event of the session, in order; also from a history that is read again. */
  add(event: SentEvent): void
  /** The last turn goes on, without another message. */
  begin(): void
  /** Nothing more comes of the turn under way. */
  end(): void
  /** Lines that will not change any more, since the last time; for `print`. */
  takeLines(width: number): string[]
  /** What may still change (text that grows, calls under way, the spinner), `rows` at most. */
  renderLive(width: number, rows: number): string[]
  /** The last block that was folded, unfolded: for Ctrl+O. Undefined where nothing was. */
  expandLast(width: number): string[] | undefined
  /** The plan as it is now. */
  renderPlan(width: number): string[]
  /** Whether something moves by itself (a spinner, elapsed seconds), and frames are wanted. */
  readonly isMoving: boolean
}

/** What the line at the bottom tells. */
export interface Status {
  agent: string
  model: string | undefined
  /** Share of the context that is used, 0 to 1. */
  context: number | undefined
  /** Of this session, in whatever the price list counts. */
  cost: number | undefined
  mcp: { ok: number; total: number; attention: number } | undefined
  approval: ApprovalMode
  link: 'starting' | 'live' | 'away' | 'lost'
  /** Messages that wait for the turn under way. */
  queued: number
  isRunning: boolean
}

/** `ask`: as the policy says. `auto`: what would be asked is approved; denials still hold. */
export type ApprovalMode = 'ask' | 'auto'
