import { AIMessage } from '@langchain/core/messages'
import type { Fields, Theirs } from './contract.ts'
import { readHook } from './state-hook.ts'

/**
 * Whether it is a limit of LangChain's with a `threadLimit`. It tells nobody: its hook is asked
 * what it does in a thread that is over any limit, in a run that is over none.
 */
export function hasThreadLimit({ name, beforeModel, afterModel }: Theirs): boolean {
  if (name === 'ModelCallLimitMiddleware') {
    const counts = { threadModelCallCount: over, runModelCallCount: under }
    return isStopped(beforeModel, counts)
  }
  const { tool = 'any' } = toolLimit.exec(name)?.groups ?? {}
  if (!toolLimit.test(name)) return false
  const tool_calls = [{ id: 'call', name: tool, args: {} }]
  const counts = (count: number) => ({ [tool]: count, [allTools]: count })
  return isStopped(afterModel, {
    messages: [new AIMessage({ content: '', tool_calls })],
    ...{ threadToolCallCount: counts(over), runToolCallCount: counts(under) },
  })
}

const over = Number.POSITIVE_INFINITY
const under = Number.NEGATIVE_INFINITY
const toolLimit = /^ToolCallLimitMiddleware(?:\[(?<tool>.+)\])?$/
const allTools = '__all__'

/** A limit that is reached adds a message or throws. */
function isStopped(hook: unknown, state: Fields): boolean {
  try {
    const given = readHook(hook).hook?.(state, { context: {} }) as Fields | undefined
    return given?.messages !== undefined
  } catch {
    return true
  }
}
