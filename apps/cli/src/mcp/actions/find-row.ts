import { toPlainLine } from '../../ui/index.ts'
import type { McpShell } from './contract.ts'
import { readRows, type ServerRow } from './rows.ts'
import { tell } from './tell.ts'
import { stateWords, words } from './words.ts'

/** The server that is meant; undefined where it was told why there is none. */
export async function findRow(
  action: string,
  name: string | undefined,
  shell: McpShell,
): Promise<ServerRow | undefined> {
  const { lang } = shell
  const rows = await readRows(shell)
  if (!name) return chooseRow(action, rows, shell)
  const found = rows.find((row) => row.name === name) ?? onlyOne(rows, name)
  const names = rows.slice(0, 10).map((row) => row.name)
  if (!found) tell(shell, 'bad', words.unknownServer(name, names)[lang])
  return found
}

async function chooseRow(
  action: string,
  rows: readonly ServerRow[],
  shell: McpShell,
): Promise<ServerRow | undefined> {
  const { lang, called, ask } = shell
  if (!ask || rows.length === 0) {
    tell(shell, 'bad', words.needsName(called, action)[lang])
    return undefined
  }
  const items = rows.map((row) => ({
    value: row,
    label: toPlainLine(row.name),
    about: stateWords[row.state][lang],
  }))
  return ask.choose(words.choose[lang], items)
}

/** As people type it: in any case. */
function onlyOne(rows: readonly ServerRow[], name: string): ServerRow | undefined {
  const alike = rows.filter((row) => row.name.toLowerCase() === name.toLowerCase())
  return alike.length === 1 ? alike[0] : undefined
}
