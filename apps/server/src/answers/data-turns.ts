import type { ModelMessage, Runtime, ToolCallRequest } from '@dataagent/core'

/** What these tell is no result, but how a source is described. */
const describing: ReadonlySet<string> = new Set(['list_sources', 'describe_source'])

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
    /** What the user and the descriptions of sources say. */
    repeatable: (messages: readonly ModelMessage[]): string[] =>
      messages.filter(isRepeatable).map(({ content }) => content),
  }
}

function callsOfTurn(messages: readonly ModelMessage[]): string[] {
  const begun = messages.findLastIndex(({ role }) => role === 'user')
  return messages
    .slice(begun + 1)
    .flatMap((message) => (message.role === 'assistant' ? message.tool_calls : []))
    .map(({ name }) => name)
}

function isRepeatable(message: ModelMessage): boolean {
  if (message.role === 'tool') return !message.is_error && describing.has(message.name)
  return message.role === 'user'
}
