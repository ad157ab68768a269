import type { McpShell } from './contract.ts'

export { askAgreement } from './ask-agreement.ts'
export type { McpShell } from './contract.ts'
export { openPage } from './open-page.ts'
export { createProgramShell } from './program-shell.ts'

/**
 * Runs an action as `dataagent mcp` gets it: its name and words. Resolves with the exit code;
 * rejects with what the platform says where it is not the person's to mend.
 */
export async function runMcpAction(given: readonly string[], shell: McpShell): Promise<number> {
  return (await import('./run-action.ts')).runAction(given, shell)
}

/** The same for one line, as `/mcp` gets it: what is pasted after `add` stays as it is. */
export async function runMcpLine(line: string, shell: McpShell): Promise<number> {
  const { runAction } = await import('./run-action.ts')
  const [name = '', text = ''] = /^\s*(\S*)\s*(.*)$/s.exec(line)?.slice(1) ?? []
  return runAction(name === '' ? [] : [name, ...splitWords(text)], shell, text)
}

/** Words as in a shell, with quotes around those that hold spaces. */
function splitWords(text: string): string[] {
  const found = text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)
  return [...found].map(([, double, single, plain]) => {
    return double?.replaceAll(/\\(.)/g, '$1') ?? single ?? plain ?? ''
  })
}
