export { commands, globalFlags } from './commands.ts'
export type {
  CommandSpec,
  Flag,
  FlagValues,
  GlobalOptions,
  Invocation,
  Resume,
} from './contract.ts'
export { type ExitStatus, exitCodes } from './exit-codes.ts'
export { formatHelp } from './help.ts'
export { parseInvocation } from './parse.ts'
export { isAddress, withoutPassword } from './said-flags.ts'
export { helpWords } from './words.ts'
