import type { ExecutorOptions } from '@dataagent/core'
import type { ExecutorMaker } from '@dataagent/core/engine/test-engine'
import type { OwnTool } from '@dataagent/hub'
import { tool } from '@langchain/core/tools'
import { createAgent } from 'langchain'
import { createCheckpointSaver } from '../checkpoints/index.ts'
import type { LangChainExecutorOptions } from './contract.ts'
import { createLangChainExecutor } from './create-langchain-executor.ts'

/** Executors with that graph. */
export function makerOf(
  createGraph: LangChainExecutorOptions['createGraph'],
  more: Pick<LangChainExecutorOptions, 'toolOptions'> = {},
): ExecutorMaker {
  return (options, sql) => {
    const checkpointer = createCheckpointSaver({ store: sql.checkpoints })
    return createLangChainExecutor({ ...options, ...more, checkpointer, createGraph })
  }
}

/** LangChain's agent with the tools of the platform. */
export const withPlatformTools = makerOf((parts) => createAgent(parts.agent()))

/** The same with tools that are LangChain's own, and of which the platform knows nothing. */
export const withOwnTools: ExecutorMaker = (options, sql) => {
  const { agent } = options
  const given = new Map(agent.tools.map((one) => [one.name, one]))
  return createLangChainExecutor({
    ...(options as ExecutorOptions),
    agent: { ...agent, tools: [] },
    checkpointer: createCheckpointSaver({ store: sql.checkpoints }),
    toolOptions: (name) => toOptions(given.get(name)),
    createGraph: (parts) => createAgent(parts.agent({ tools: agent.tools.map(toLangChain) })),
  })
}

function toOptions(own: OwnTool | undefined) {
  if (own === undefined) return undefined
  const { approval, idempotent, annotations } = own
  return { approval, idempotent, annotations }
}

function toLangChain(own: OwnTool) {
  const { name, description, inputSchema } = own
  return tool(
    async (args, { signal = new AbortController().signal }) => {
      const context = { signal, call_id: name } as Parameters<OwnTool['run']>[1]
      const { content } = await own.run(args as Record<string, unknown>, context)
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    },
    { name, description, schema: inputSchema },
  )
}
