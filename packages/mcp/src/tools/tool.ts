import type { Tool, ToolSpec } from './contract.ts'
import { toSchema } from './parameters.ts'

/** Makes a tool of its parts: a function and what a model needs to know to call it. */
export function createTool(spec: ToolSpec): Tool {
  const { name, description, parameters = [], handler, rawJsonSchema } = spec
  return {
    name,
    description,
    parameters,
    handler,
    rawJsonSchema,
    toJsonSchema: () => ({ name, description, parameters: rawJsonSchema ?? toSchema(parameters) }),
  }
}
