import type { FileOperationEvent, ToolCallStatus } from '@dataagent/schema'
import type { Text } from '../../words/index.ts'
import { dotOf, type Look, say } from '../look.ts'
import { cut, widthOf } from '../width.ts'
import { words } from '../words.ts'
import { renderFile } from './diff.ts'
import { toDuration, toElapsed } from './duration.ts'
import { type Extent, indented, joined, type Rendered, unfolded } from './rendered.ts'
import { renderResult } from './result.ts'
import { renderBlock, type ShownBlock } from './result-block.ts'
import type { ResultPart } from './result-parts.ts'
import { spinnerAt } from './spinner.ts'

/** A call of a tool, with all that is known of it. */
export interface Call {
  tool_call_id: string
  /** As it is shown. */
  name: string
  /** Its arguments, short and on one line. */
  about: string
  state: 'asked' | 'waiting' | 'running' | 'ok' | 'failed' | 'stopped'
  outcome: ToolCallStatus | undefined
  /** By our own clock. */
  since: number
  duration_ms: number | undefined
  /** Read when it is shown, and once. */
  result: () => ResultPart[]
  isUntrusted: boolean
  /** Who decided what about it. */
  decisions: ((width: number) => string[])[]
  files: FileOperationEvent[]
  /** What it showed, in place of its result. */
  blocks: ShownBlock[]
  /** Of a helper that works for this call. */
  below: Call[]
}

export function isOver({ state }: Call): boolean {
  return state === 'ok' || state === 'failed' || state === 'stopped'
}

/** The line of a call that may still change, and those of its helper. */
export function renderOpenCall(call: Call, look: Look, width: number, now: number): string[] {
  const below = call.below.flatMap((each) => renderOpenCall(each, look, width - 2, now))
  return [renderLine(call, look, width, now), ...below.map((line) => `  ${line}`)]
}

/** A call that is over: its line, what was decided, what its helper did, files, its result. */
export function renderCall(call: Call, look: Look, width: number, extent: Extent): Rendered {
  const inner = Math.max(8, width - 2)
  const changes = call.files.filter(({ operation }) => operation !== 'read')
  const hasOwnView = changes.length + call.blocks.length > 0 && call.state === 'ok'
  const parts = [
    unfolded(call.decisions.flatMap((render) => render(inner))),
    joined(call.below.map((each) => renderCall(each, look, inner, extent))),
    joined(changes.map((file) => renderFile(file, look, inner, extent))),
    joined(call.blocks.map((block) => renderBlock(block, look, inner, extent))),
    hasOwnView ? unfolded([]) : renderResult(call.result(), look, inner, extent),
  ]
  const line = unfolded([renderLine(call, look, width, call.since)])
  return joined([line, ...parts.map((part) => indented(part))])
}

function renderLine(call: Call, look: Look, width: number, now: number): string {
  const { theme } = look
  const { ellipsis } = theme.glyphs
  const head = `${iconOf(call, look, now)} ${theme.strong(call.name)}`
  const tail = tailOf(call, look, now).join(dotOf(theme))
  const shownTail = tail === '' ? '' : theme.dim(dotOf(theme) + tail)
  const room = width - widthOf(head) - widthOf(shownTail) - 1
  const args = room < 4 ? '' : cut(call.about, room, ellipsis)
  return cut(head + (args === '' ? '' : ` ${theme.dim(args)}`) + shownTail, width, ellipsis)
}

function iconOf({ state }: Call, { theme }: Look, now: number): string {
  const { glyphs } = theme
  switch (state) {
    case 'ok':
      return theme.good(glyphs.done)
    case 'failed':
      return theme.bad(glyphs.failed)
    case 'stopped':
      return theme.warn(glyphs.stopped)
    case 'waiting':
      return theme.warn(glyphs.waiting)
    default:
      return theme.accent(spinnerAt(glyphs, now))
  }
}

function tailOf(call: Call, look: Look, now: number): string[] {
  if (call.state === 'waiting') return [say(look, words.waiting)]
  if (!isOver(call)) return [toElapsed(now - call.since)]
  const [first] = call.result()
  const isTable = call.state === 'ok' && call.blocks.length === 0 && first?.kind === 'table'
  const rows = isTable && words.rows(first.count)
  const outcome: Text | false = call.state !== 'ok' && words.outcomes[call.outcome ?? 'error']
  const texts = [outcome, rows, call.isUntrusted && words.untrusted].filter(
    (each) => each !== false,
  )
  const time = call.duration_ms === undefined ? [] : [toDuration(call.duration_ms)]
  return [...texts.map((each) => say(look, each)), ...time]
}
