import { toPlainLine } from '../../ui/index.ts'
import { type FoundConfig, findConfigs } from '../find-configs.ts'
import type { Action, McpShell } from './contract.ts'
import { fillIn, type PreviewEntry, showEntry, showWay, type UsableEntry } from './preview.ts'
import { reloadFiles, storeServer } from './store-server.ts'
import { tell } from './tell.ts'
import { words } from './words.ts'

interface Found {
  entry: PreviewEntry
  from: string
}

/**
 * Takes over servers of other programs: all are shown with where they are from, then those that are
 * chosen are added. Nothing is started by looking.
 */
export const importServers: Action = async ({ words: given }, shell) => {
  const { lang, place, called } = shell
  const configs = await findConfigs({ ...place, platform: process.platform })
  if (configs.length === 0) {
    tell(shell, 'info', words.noneFound[lang])
    return 0
  }
  for (const { product, path } of configs) tell(shell, 'info', `${product}: ${path}`)
  if (!(await maySend(shell, given))) {
    tell(shell, 'info', words.importHint(called)[lang])
    return 1
  }
  const found = withoutRepeated(await readAll(configs, shell))
  for (const { entry, from } of found) showEntry(entry, shell, from)
  const fresh = found.flatMap(({ entry, from }) => (isNew(entry) ? [{ entry, from }] : []))
  if (fresh.length === 0) {
    tell(shell, 'info', words.nothingNew[lang])
    return 0
  }
  const chosen = await chooseSome(fresh, given, shell)
  if (!chosen) {
    tell(shell, 'info', words.importHint(called)[lang])
    return 0
  }
  return storeChosen(chosen, shell)
}

type Fresh = { entry: UsableEntry; from: string }

async function storeChosen(chosen: readonly UsableEntry[], shell: McpShell): Promise<number> {
  const stored: boolean[] = []
  for (const entry of chosen) stored.push(await storeServer(await fillIn(entry, shell), shell))
  if (stored.includes(true)) await reloadFiles(shell)
  else tell(shell, 'info', words.nothingAdded[shell.lang])
  return stored.every(Boolean) ? 0 : 1
}

/** A remote platform reads them: the person is asked before what they keep here is sent there. */
async function maySend({ link, ask, lang }: McpShell, given: readonly string[]): Promise<boolean> {
  if (link.kind === 'local' || !ask) return link.kind === 'local' || given.length > 0
  return ask.confirm(words.importSent(link.url)[lang])
}

async function readAll(configs: readonly FoundConfig[], shell: McpShell): Promise<Found[]> {
  const { link, signal } = shell
  const found: Found[] = []
  for (const { product, path, text } of configs) {
    const { entries } = await link.client.servers.import(text, { signal })
    const from = `${product} · ${path}`
    found.push(...entries.map((entry) => ({ entry, from })))
  }
  return found
}

/** Most people have the same servers in several programs: the first of a name stays. */
function withoutRepeated(found: readonly Found[]): Found[] {
  const seen = new Set<string>()
  return found.map(({ entry, from }) => {
    const isRepeated = seen.has(entry.name) && isNew(entry)
    seen.add(entry.name)
    return { from, entry: isRepeated ? { ...entry, status: 'duplicate' as const } : entry }
  })
}

function isNew(entry: PreviewEntry): entry is UsableEntry {
  return entry.status === 'new'
}

/** Undefined where nobody has said which. */
async function chooseSome(fresh: readonly Fresh[], given: readonly string[], shell: McpShell) {
  const { ask, lang } = shell
  const entries = fresh.map(({ entry }) => entry)
  if (given.includes('--all')) return entries
  const names = new Set(given)
  if (names.size > 0) return entries.filter(({ name }) => names.has(name))
  if (!ask) return undefined
  const chosen: UsableEntry[] = []
  for (let left = fresh; left.length > 0; ) {
    const all = { value: 'all' as const, label: words.importAll(left.length)[lang] }
    const done = { value: 'done' as const, label: words.importDone[lang] }
    const items = left.map(({ entry, from }) => ({
      value: entry,
      label: toPlainLine(entry.name),
      about: toPlainLine(`${from} · ${showWay(entry)}`),
    }))
    const picked = await ask.choose<UsableEntry | 'all' | 'done'>(words.importTitle[lang], [
      all,
      ...items,
      done,
    ])
    if (picked === 'all') return [...chosen, ...left.map(({ entry }) => entry)]
    if (picked === undefined || picked === 'done') break
    chosen.push(picked)
    left = left.filter(({ entry }) => entry !== picked)
  }
  return chosen
}
