import type { ModelMessage, ModelRequest, ToolMessage } from '../contract.ts'
import { answerResults, type Round } from './after-results.ts'
import { doesWhatIsSaid, findByWords } from './choose-tool.ts'
import { inWords, notice, noticeMarks, texts } from './demo-texts.ts'
import { asksByName, findNamed } from './find-named.ts'
import { answerFollowUp } from './follow-up.ts'
import { isOwnName, knownTools, toKnown } from './known-tools.ts'
import { languageOf } from './language-of.ts'
import { askVerified } from './own-data.ts'
import { runInShell } from './own-shell.ts'
import { useOwnTool } from './own-tools.ts'
import { type DemoReply, say } from './reply.ts'
import { answerLost, answerSmallTalk, askWhich } from './small-talk.ts'
import { type Asked, useTool } from './use-tool.ts'

/** Longer messages are read to here. */
const textMax = 20_000
/** Calls in a row after which the model stops. */
const roundsMax = 6

/** What the demo model answers to a request. Pure, and linear in the request. */
export function respond(request: ModelRequest): DemoReply {
  const { messages } = request
  const index = messages.findLastIndex(({ role }) => role === 'user')
  const asked: Asked = {
    text: (messages[index]?.content ?? '').slice(0, textMax),
    language: languageOf(messages),
    known: knownTools(request),
    queried: queriedIn(messages, index),
  }
  const reply = withChoice(request, asked, answer(messages, index, asked))
  const isNew = !messages.some(hasNotice)
  const parts = isNew ? [notice[asked.language], reply.text] : [reply.text]
  return { ...reply, text: parts.filter((part) => part !== '').join('\n\n') }
}

function answer(messages: readonly ModelMessage[], index: number, asked: Asked): DemoReply {
  const rounds = lastRounds(messages, index)
  const count = messages.slice(index + 1).filter(({ role }) => role === 'assistant').length
  if (rounds.length > 0) {
    const reply = answerResults(rounds, asked)
    return count >= roundsMax && reply.calls.length > 0 ? say(texts.enough[asked.language]) : reply
  }
  return answerFollowUp(messages, index, asked) ?? answerMessage(asked)
}

function answerMessage(asked: Asked): DemoReply {
  const { text, known } = asked
  const meant = runInShell(asked) ?? askVerified(asked)
  if (meant) return meant
  const own = [...known.given.values()].filter(({ name }) => isOwnName(name)).map(toKnown)
  const named = findNamed(text, [...known.all, ...own])
  if (named) return useTool(named, asked)
  const plain = answerSmallTalk(asked) ?? useOwnTool(asked)
  if (plain) return plain
  if (asksByName(text)) return search(asked) ?? answerLost(asked)
  const found = [known.lines, known.all].flatMap((tools) => findByWords(text, tools) ?? [])
  const fitting = found.find((tool) => doesWhatIsSaid(text, tool)) ?? found[0]
  const use = fitting && useTool(fitting, asked)
  const isMeant = !fitting || doesWhatIsSaid(text, fitting)
  if (use && use.calls.length > 0 && isMeant) return use
  const next = (known.lines.length === 0 || !isMeant ? search(asked) : undefined) ?? use
  if (next) return next
  if (known.lines.length === 1) return useTool(known.lines[0]!, asked)
  if (known.lines.length > 1) return askWhich(known.lines, asked)
  return answerLost(asked)
}

const queryMax = 300

function search({ text, known, language }: Asked): DemoReply | undefined {
  const query = text.trim().slice(0, queryMax)
  if (!known.given.has('search_tools') || query === '') return undefined
  const call = { name: 'search_tools', arguments: { query } }
  return { text: inWords.searching[language], calls: [call] }
}

/** The last calls of this run, where all of them are answered. */
function lastRounds(messages: readonly ModelMessage[], index: number): Round[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const asking = messages[last]
  if (last <= index || asking?.role !== 'assistant') return []
  const results = new Map<string, ToolMessage>()
  for (const message of messages.slice(last + 1)) {
    if (message.role === 'tool') results.set(message.tool_call_id, message)
  }
  return asking.tool_calls.flatMap((call) => {
    const result = results.get(call.id)
    return result ? [{ call, result }] : []
  })
}

function queriedIn(messages: readonly ModelMessage[], index: number): string | undefined {
  const found = messages
    .slice(index + 1)
    .findLast((one) => one.role === 'tool' && one.name === 'run_sql' && !one.is_error)
  return found?.content
}

/** Does as `toolChoice` says: none, any, or this one. */
function withChoice(
  { toolChoice, tools }: ModelRequest,
  asked: Asked,
  reply: DemoReply,
): DemoReply {
  if (toolChoice === 'none') return reply.calls.length > 0 ? answerLost(asked) : reply
  const name = typeof toolChoice === 'object' ? toolChoice.name : undefined
  if (name === undefined && (toolChoice !== 'required' || reply.calls.length > 0)) return reply
  const tool = tools.find((one) => one.name === name) ?? tools[0]
  return tool ? useTool(toKnown(tool), asked) : reply
}

function hasNotice(message: ModelMessage): boolean {
  if (message.role !== 'assistant') return false
  const start = message.content.slice(0, 200)
  return noticeMarks.some((mark) => start.includes(mark))
}
