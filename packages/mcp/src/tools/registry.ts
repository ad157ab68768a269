import { randomUUID } from 'node:crypto'
import type { McpError } from '../errors.ts'
import type { Tool, ToolRegistry } from './contract.ts'
import { conflictError, notFoundError } from './errors.ts'
import { createNameTable } from './name-table.ts'
import { toWireName } from './names.ts'

/** Creates an empty registry. */
export function createToolRegistry(): ToolRegistry {
  const tools = createNameTable<Tool>()

  return {
    register(tool) {
      const holder = tools.holderOf(tool.name)
      if (holder !== undefined) throw takenError(tool.name, holder.name)
      tools.add(tool.name, tool)
    },
    remove: tools.remove,
    get: tools.get,
    list: tools.values,
    async execute(name, args, context = {}) {
      const tool = tools.get(name)
      if (tool === undefined) throw notFoundError('tool', name)
      const { callId = randomUUID(), extra = {}, signal } = context
      return await tool.handler({ toolName: tool.name, callId, extra, signal }, args)
    },
    toJsonSchemas: () =>
      tools.values().map((tool) => ({ ...tool.toJsonSchema(), name: toWireName(tool.name) })),
  }
}

function takenError(name: string, holder: string): McpError {
  const which = name === holder ? '' : ` by "${holder}"`
  return conflictError(`tool name "${name}" is taken${which}`, { name, holder })
}
