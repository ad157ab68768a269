import type { ModelTool } from '@dataagent/core'
import { AppError } from '@dataagent/schema'
import { DynamicStructuredTool } from '@langchain/core/tools'
import type { LangChainTool } from '../tools/index.ts'

/** Tools as hooks see them. None runs: what runs a tool is the handler of `wrapToolCall`. */
export interface ShownTools {
  show(tool: ModelTool): LangChainTool
  /**
   * The tools that a hook leaves to the model. Throws `invalid_result` for one that the agent does
   * not have, or that was changed.
   */
  meant(tools: readonly unknown[], given: readonly ModelTool[]): ModelTool[]
}

export function createShownTools(middleware: string, own: readonly LangChainTool[]): ShownTools {
  const shown = new WeakMap<ModelTool, LangChainTool>()
  const tools = new WeakMap<object, ModelTool>()
  const originals = new Map(own.map((tool) => [tool.name, tool]))

  function show(tool: ModelTool): LangChainTool {
    const known = shown.get(tool)
    if (known) return known
    const made = originals.get(tool.name) ?? toStandIn(tool)
    shown.set(tool, made)
    tools.set(made, tool)
    return made
  }

  return {
    show,
    meant: (changed, given) =>
      changed.map((tool) => {
        const { name } = tool as { name?: unknown }
        const current = given.find((one) => one.name === name)
        const found = current && show(current) === tool ? current : tools.get(tool as object)
        if (found) return found
        const told = current ? `changed the tool ${String(name)}` : `added the tool ${nameOf(tool)}`
        throw new AppError(
          'invalid_result',
          `middleware ${middleware} ${told} in wrapModelCall: what the model may call must be in ` +
            '"tools" of a middleware or of the agent, so that it is governed',
        )
      }),
  }
}

function nameOf(tool: unknown): string {
  const { name, type } = tool as { name?: unknown; type?: unknown }
  return String(name ?? type ?? 'without a name')
}

function toStandIn({ name, description, parameters }: ModelTool): LangChainTool {
  return new DynamicStructuredTool({
    ...{ name, description, schema: { ...parameters } },
    func() {
      const told = `The tool ${name} is not called by hand: call the handler of wrapToolCall.`
      throw new AppError('forbidden', told)
    },
  })
}
