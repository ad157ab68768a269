import { type ModelMessage, type Runtime, type ToolCallRequest, userWordsOf } from '@dataagent/core'
import { toDescribedWords } from '@dataagent/data'

/** What these tell is no result, but how a source is described. */
const describing: ReadonlyMap<string, (told: string) => string> = new Map([
  ['list_sources', (told: string) => told],
  ['describe_source', toDescribedWords],
])

/** Which turns speak of data, and what they may say without a query. */
export function createDataTurns(toolNames: readonly string[]) {
  const names = new Set(toolNames)
  const noted = new WeakSet<Runtime>()

  /** A sub-agent's call is one of its caller's turn too. */
  function note(runtime: Runtime): void {
    noted.add(runtime)
    if (runtime.caller) note(runtime.caller)
  }

  return {
    note,
    noteCall({ call, runtime }: Pick<ToolCallRequest, 'call' | 'runtime'>): void {
      if (names.has(call.name)) note(runtime)
    },
    isOfData(messages: readonly ModelMessage[], runtime: Runtime): boolean {
      // A call whose arguments are no JSON reaches no hook: it stands in the messages alone.
      return noted.has(runtime) || callsOfTurn(messages).some((name) => names.has(name))
    },
    /** What the user and the descriptions of sources say, in words. */
    repeatable: (messages: readonly ModelMessage[]): string[] =>
      messages.flatMap((message) => repeatableOf(message) ?? []),
  }
}

function callsOfTurn(messages: readonly ModelMessage[]): string[] {
  const begun = messages.findLastIndex(({ role }) => role === 'user')
  return messages
    .slice(begun + 1)
    .flatMap((message) => (message.role === 'assistant' ? message.tool_calls : []))
    .map(({ name }) => name)
}

function repeatableOf(message: ModelMessage): string | undefined {
  if (message.role !== 'tool') return userWordsOf(message)
  if (message.is_error) return undefined
  return describing.get(message.name)?.(message.content)
}
