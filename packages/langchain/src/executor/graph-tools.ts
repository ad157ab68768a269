import type { ModelTool } from '@dataagent/core'
import type { OwnTool } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { DynamicStructuredTool, type StructuredToolInterface } from '@langchain/core/tools'
import { type FromToolOptions, fromLangChainTool, toCallResult, toFailure } from '../tools/index.ts'
import { executeAdmitted } from './graph-call.ts'
import { place } from './place.ts'

/** A tool of the turn as the graph's model is told of it; the hub runs it. */
export function toGraphTool({ name, description, parameters }: ModelTool): StructuredToolInterface {
  return new DynamicStructuredTool({
    ...{ name, description, schema: { ...parameters } },
    func: () => {
      throw new AppError('forbidden', `The tool ${name} runs only where its agent is governed.`)
    },
  })
}

/** What holds for the tools that DeepAgents brings. */
const knownTools: Readonly<Record<string, FromToolOptions>> = {
  execute: { approval: 'ask' },
  task: { timeoutMs: 600_000 },
}

/** Tools that a graph brings itself, as the hub sees them: each is made once. */
export function createOwnTools(
  optionsOf: ((tool_name: string) => FromToolOptions | undefined) | undefined,
): (tool: StructuredToolInterface) => OwnTool {
  const made = new WeakMap<StructuredToolInterface, OwnTool>()

  function make(tool: StructuredToolInterface): OwnTool {
    const options = { ...knownTools[tool.name], ...optionsOf?.(tool.name) }
    return {
      ...fromLangChainTool(tool, options),
      async run(args, context) {
        try {
          return toCallResult(await executeAdmitted(place(), args, context))
        } catch (error) {
          return toFailure(unwrap(error), context.signal)
        }
      },
    }
  }

  return (tool) => {
    const known = made.get(tool) ?? make(tool)
    made.set(tool, known)
    return known
  }
}

/** LangChain wraps what a tool says of arguments that do not fit. */
function unwrap(error: unknown): unknown {
  return (error as { toolError?: unknown } | null)?.toolError ?? error
}
