import type {
  ApprovalDecidedEvent,
  ErrorEvent,
  ReasoningEvent,
  SummaryEvent,
  ToolsMatchedEvent,
  UserMessageEvent,
} from '@dataagent/schema'
import { dotOf, type Look, say } from '../look.ts'
import { toPlainLine } from '../sanitize.ts'
import { wrap, wrapWith } from '../width.ts'
import { words } from '../words.ts'
import { toDuration } from './duration.ts'
import { indented, joined, type Render, renderLong, signed, unfolded } from './rendered.ts'

const messageLinesShown = 12

/** What the user said. */
export function userMessage({ content }: UserMessageEvent, look: Look): Render {
  return (width, extent) => {
    const sign = look.theme.accent(`${look.theme.glyphs.prompt} `)
    return signed(sign, renderLong(content, { extent, keep: messageLinesShown }, look, width - 2))
  }
}

/** What the model thought before it answered. */
export function reasoning({ content }: ReasoningEvent, look: Look): Render {
  return titled(say(look, words.thought), content, look, 2)
}

export function summary({ content }: SummaryEvent, look: Look): Render {
  return titled(say(look, words.summary), content, look, 0)
}

function titled(title: string, content: string, look: Look, keep: number): Render {
  const { dim } = look.theme
  return (width, extent) => {
    const head = unfolded(wrap(title, width).map(dim))
    if (content.trim() === '') return head
    const options = { extent, keep, paint: dim }
    return joined([head, indented(renderLong(content.trimStart(), options, look, width - 2))])
  }
}

/** Which of the user's words made tools take part. */
export function toolsMatched({ matches, matched }: ToolsMatchedEvent, look: Look): Render {
  const found = matches.map(({ word, server_name }) => {
    const server = server_name === undefined ? '' : ` (${toPlainLine(server_name, 40)})`
    return `"${toPlainLine(word, 40)}"${server}`
  })
  const text = say(look, words.matched(matched, [...new Set(found)].join(', ')))
  return (width) => unfolded(wrap(text, width).map(look.theme.dim))
}

/** Who decided what, and how far it reaches. */
export function decided({ decision, via, decided_by }: ApprovalDecidedEvent, look: Look) {
  const { theme } = look
  const isYes = decision.type === 'approve'
  const what = say(look, words.decisions[via === 'person' ? decision.type : via])
  const by = decided_by === null ? '' : say(look, words.by(toPlainLine(decided_by, 60)))
  const scope = isYes ? say(look, words.scopes[decision.scope ?? 'once']) : ''
  const changed = decision.args === undefined ? '' : say(look, words.otherArguments)
  const message = toPlainLine(decision.message, 400)
  const more = [scope, changed, message]
    .filter((each) => each !== '')
    .map((each) => dotOf(theme) + each)
  const icon = isYes ? theme.good(theme.glyphs.done) : theme.warn(theme.glyphs.stopped)
  const text = `${what}${by}${more.join('')}`
  return (width: number) => wrapWith(`${icon} `, '  ', theme.dim(text), width)
}

/** What happened, and what can be done about it. */
export function failure(event: ErrorEvent, look: Look): Render {
  const { theme } = look
  const { error, recoverable, error_code, reference } = event
  const advice = say(look, recoverable ? words.retry : words.over)
  const known = reference === undefined ? '' : `${say(look, words.reference)} ${reference}`
  const facts = [advice, error_code ?? '', known].filter((each) => each !== '')
  const line = facts.map((each) => toPlainLine(each, 120)).join(dotOf(theme))
  return (width, extent) => {
    const sign = theme.bad(`${theme.glyphs.failed} `)
    const told = unfolded(wrapWith('  ', '  ', theme.dim(line), width))
    return joined([signed(sign, renderLong(error, { extent, keep: 8 }, look, width - 2)), told])
  }
}

/** The end of a turn: how long it took and what it used; that it was stopped, where it was. */
export function turnEnd(
  { isCancelled, ms, tokens }: { isCancelled: boolean; ms: number | undefined; tokens: number },
  look: Look,
): Render {
  const { theme } = look
  const facts = [
    ...(ms === undefined ? [] : [toDuration(ms)]),
    ...(tokens === 0 ? [] : [say(look, words.tokens(tokens))]),
  ]
  const stopped = `${theme.glyphs.stopped} ${say(look, words.stopped)}`
  const text = theme.dim(facts.join(dotOf(theme)))
  const shown = isCancelled ? [theme.warn(stopped), text] : [text]
  const line = shown.filter((each) => each !== '').join(theme.dim(dotOf(theme)))
  return (width) => unfolded(line === '' ? [] : wrap(line, width))
}
