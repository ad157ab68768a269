/** Own tools by which a model finds, reads and calls tools that it was not given in full. */
export const promptToolNames = {
  search: 'search_tools',
  describe: 'describe_tool',
  call: 'call_tool',
} as const

const names: ReadonlySet<string> = new Set(Object.values(promptToolNames))

export function isPromptTool(name: string): boolean {
  return names.has(name)
}
