import { add } from './add.ts'
import { disable, enable, remove } from './change.ts'
import { check } from './check.ts'
import type { Action, McpShell } from './contract.ts'
import { importServers } from './import.ts'
import { list } from './list.ts'
import { login } from './login.ts'
import { reload } from './reload.ts'
import { tell } from './tell.ts'
import { words } from './words.ts'

const actions: Readonly<Record<string, Action>> = {
  ...{ list, add, test: check, login, enable, disable, remove, reload },
  import: importServers,
}

/** Runs `NAME WORDS…`; the list where nothing is asked for. */
export function runAction(given: readonly string[], shell: McpShell, text = ''): Promise<number> {
  const [name = 'list', ...left] = given
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action) return action({ words: left, text }, shell)
  tell(shell, 'bad', words.usage(shell.called)[shell.lang])
  return Promise.resolve(2)
}
