import type { AgentMiddleware, ModelMessage, Runtime } from '@dataagent/core'
import { checkCitations, findCitations, type Queries } from '@dataagent/data'
import type { Clock } from '@dataagent/guard'
import type { OwnTool } from '@dataagent/hub'
import type { CitationsEvent } from '@dataagent/schema'
import { createDataTurns } from './data-turns.ts'
import { toVerifiedHint, type VerifiedHintMeans } from './verified-hint.ts'

export interface DataAnswersOptions extends VerifiedHintMeans {
  queries: Pick<Queries, 'list'>
  /** A turn that calls one of them, with or without success, is talk of data. */
  tools: readonly Pick<OwnTool, 'name'>[]
  clock: Clock
  /** Told of what keeps a hint or a check from being made: the turn goes on without. */
  onError(error: unknown): void
}

const rule =
  'Numbers about data come from run_sql alone. Put [q1] (the number of the query) behind each ' +
  'number or table that you take from a query, and say of which period and source it is. Never ' +
  'write a number that no query has given.'

/**
 * Lets an agent answer about data: it is told of the verified question that a message means, and
 * what its answer's numbers rest on is checked when it has spoken.
 */
export function createDataAnswers(options: DataAnswersOptions): AgentMiddleware {
  const { queries, clock, onError } = options
  const hints = new WeakMap<Runtime, Promise<string>>()
  const turns = createDataTurns(options.tools.map(({ name }) => name))

  function hintOf(runtime: Runtime, messages: readonly ModelMessage[]): Promise<string> {
    const known = hints.get(runtime)
    if (known) return known
    const text = messages.findLast(({ role }) => role === 'user')?.content ?? ''
    const hint = toVerifiedHint(options, runtime.principal, text).catch((error) => {
      onError(error)
      return ''
    })
    hints.set(runtime, hint)
    return hint
  }

  async function check(messages: readonly ModelMessage[], text: string, runtime: Runtime) {
    const { principal, session_id } = runtime
    const run = await queries.list({ principal, session_id })
    const isOfData =
      run.length > 0 || findCitations(text).length > 0 || turns.isOfData(messages, runtime)
    if (!isOfData) return undefined
    const found = checkCitations({ text, queries: run, given: turns.repeatable(messages) })
    const { cited, dangling, uncovered } = found
    if (cited.length + dangling.length + uncovered.length === 0) return undefined
    const event: CitationsEvent = {
      event_type: 'citations',
      timestamp: Math.floor(clock.now()),
      ...found,
    }
    return event
  }

  return {
    name: 'data_answers',
    systemPrompt: () => rule,
    async wrapModelCall(request, handler) {
      const hint = await hintOf(request.runtime, request.messages)
      if (hint === '') return handler(request)
      turns.note(request.runtime)
      return handler({ ...request, systemPrompt: `${request.systemPrompt}\n\n${hint}` })
    },
    wrapToolCall(request, handler) {
      turns.noteCall(request)
      return handler(request)
    },
    async afterAgent({ messages }, runtime) {
      const last = messages.at(-1)
      if (last?.role !== 'assistant' || last.content === '') return undefined
      try {
        const event = await check(messages, last.content, runtime)
        if (event) runtime.emit(event)
      } catch (error) {
        onError(error)
      }
      return undefined
    },
  }
}
