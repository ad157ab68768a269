import type { OwnToolContext } from '@dataagent/hub'
import { BaseCallbackHandler } from '@langchain/core/callbacks/base'
import type { RunnableConfig } from '@langchain/core/runnables'
import type { ToolScene } from './from-langchain-tool.ts'

interface Call {
  id: string
  name: string
  args: Record<string, unknown>
}

/** What LangChain's tools find beside their arguments, as its `ToolNode` gives it. */
export function toToolConfig(
  call: Call,
  context: OwnToolContext,
  scene: ToolScene | undefined,
): RunnableConfig {
  const { signal, session_id, run } = context
  const config: RunnableConfig = {
    signal,
    configurable: { thread_id: session_id, run_id: run?.run_id },
    // Custom events need someone to listen.
    callbacks: [BaseCallbackHandler.fromMethods({})],
  }
  return Object.assign({}, config, {
    ...{ config, toolCallId: call.id, toolCall: { ...call, type: 'tool_call' } },
    ...{ state: scene?.state, context: scene?.context, writer: () => {} },
  })
}
