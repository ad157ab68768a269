import { toKnown } from './known-tools.ts'
import type { OwnRule } from './own-rule.ts'
import { toCommand } from './to-command.ts'
import { useTool } from './use-tool.ts'

const shellWord = /\b(?:shell|bash|terminal|console|command)\b|终端|命令/iu
const shellName = /(?<!\w)(?:shell|bash|terminal|console)(?!\w)|终端|命令行/iu

/** A command, or the wish to run one. */
export const runCommand: OwnRule = (asked) => {
  const tool = asked.known.given.get('shell')
  const isMeant = tool && shellWord.test(asked.text) && toCommand(asked.text) !== undefined
  return isMeant ? useTool(toKnown(tool), asked) : undefined
}

/** Only a whole command for what is called a shell: in it the name of a tool is no tool. */
export const runInShell: OwnRule = (asked) =>
  shellName.test(asked.text) && toCommand(asked.text) ? runCommand(asked) : undefined
