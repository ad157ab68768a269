import { isAppError } from '@dataagent/schema/base'
import type { Tool, ToolRegistry } from '../tools/contract.ts'
import type { InjectReport } from './contract.ts'

/** Puts tools into registries and takes exactly those out again. */
export interface Injection {
  /** Takes out what was put in before, then puts in `tools`. */
  inject(registry: ToolRegistry, tools: readonly Tool[]): InjectReport
  remove(registry: ToolRegistry): void
}

/** Creates an injection that has not touched any registry. */
export function createInjection(): Injection {
  const injected = new WeakMap<ToolRegistry, Tool[]>()

  return {
    inject(registry, tools) {
      remove(registry)
      const own: Tool[] = []
      injected.set(registry, own)
      const taken: string[] = []
      for (const tool of tools) {
        if (tryRegister(registry, tool)) own.push(tool)
        else taken.push(tool.name)
      }
      return { injected: own.map(({ name }) => name), taken }
    },
    remove,
  }

  /** A tool that the host has put in the place of one of ours stays. */
  function remove(registry: ToolRegistry): void {
    for (const tool of injected.get(registry) ?? []) {
      if (registry.get(tool.name) === tool) registry.remove(tool.name)
    }
    injected.delete(registry)
  }
}

function tryRegister(registry: ToolRegistry, tool: Tool): boolean {
  try {
    registry.register(tool)
    return true
  } catch (error) {
    if (isAppError(error, 'conflict')) return false
    throw error
  }
}
