import { exitCodes } from '../../args/index.ts'
import type { Program } from '../contract.ts'
import { toBash } from './bash.ts'
import { toFish } from './fish.ts'
import { words } from './words.ts'
import { toZsh } from './zsh.ts'

const shells = new Map([
  ['bash', toBash],
  ['zsh', toZsh],
  ['fish', toFish],
])

/** `dataagent completions SHELL`: prints the script that the shell is to read. */
export const runCompletions: Program = async ({ words: said }, { stdout, warn, lang }) => {
  const write = shells.get(said[0] ?? '')
  if (write === undefined || said.length > 1) {
    warn(words.whichShell[lang])
    return exitCodes.usage
  }
  stdout.write(write(lang))
  return exitCodes.ok
}
