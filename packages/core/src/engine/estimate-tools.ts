import { estimateTokens, type ModelTool } from '../models/index.ts'

/** About how many tokens the API's `tools` field is. */
export function estimateTools(tools: readonly ModelTool[]): number {
  return tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools))
}
