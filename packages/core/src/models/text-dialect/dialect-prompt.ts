import type { ModelRequest, ModelTool, ToolChoice } from '../contract.ts'

// The tools come first: a form that names none must not be taken for one of them.
const rules = `To call a tool, answer with this JSON and nothing else:
{"tool_call":{"name":"<the tool's name>","arguments":{<its arguments>}}}
For several calls write one such object per line, then stop. Each result comes as a message of role "tool" with the tool's name. Do not write results yourself. When no tool is needed, answer in plain text.`

/** What a model without tool calls is told of tools and of how to call them. */
export function toToolsPrompt(tools: readonly ModelTool[]): string {
  const lines = tools.map(({ name, description, parameters }) => {
    return JSON.stringify({ name, description, parameters })
  })
  return `You can call these tools:\n${lines.join('\n')}\n\n${rules}`
}

/** What it is told of a choice that was made for it. */
export function toChoicePrompt(choice: ToolChoice | undefined): string {
  if (choice === 'required') return '\nYou must call a tool now.'
  return typeof choice === 'object' ? `\nYou must call the tool "${choice.name}" now.` : ''
}

/** Whether there is anything to call. */
export function offersTools({ tools, toolChoice }: ModelRequest): boolean {
  return tools.length > 0 && toolChoice !== 'none'
}
