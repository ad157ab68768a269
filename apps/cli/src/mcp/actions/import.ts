import { toPlainLine } from '../../ui/index.ts'
import { type FoundConfig, findConfigs } from '../find-configs.ts'
import { showEntry as showDefinition } from '../trust/show-entry.ts'
import { askAgreement } from './ask-agreement.ts'
import type { Action, Asking, McpShell } from './contract.ts'
import { fillIn, type PreviewEntry, showEntry, showWay, type UsableEntry } from './preview.ts'
import { reloadFiles, storeServer } from './store-server.ts'
import { tell } from './tell.ts'
import { words } from './words.ts'

interface Found extends Pick<FoundConfig, 'path' | 'isOfFolder'> {
  entry: PreviewEntry
  from: string
}

type Fresh = Found & { entry: UsableEntry }

/**
 * Takes over servers of other programs: all are shown with where they are from, then those that are
 * chosen are added. Nothing is started by looking. What came with the folder is taken once a person
 * has seen what it does and agreed, each by itself: as one's own it is started without a question.
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
  const fresh = found.filter(isFresh)
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

async function storeChosen(chosen: readonly Fresh[], shell: McpShell): Promise<number> {
  const stored: boolean[] = []
  for (const one of chosen) {
    const isTaken = await mayTake(one, shell)
    stored.push(isTaken && (await storeServer(await fillIn(one.entry, shell), shell)))
  }
  if (stored.includes(true)) await reloadFiles(shell)
  else tell(shell, 'info', words.nothingAdded[shell.lang])
  return stored.every(Boolean) ? 0 : 1
}

async function mayTake({ entry, path, isOfFolder }: Fresh, shell: McpShell): Promise<boolean> {
  const { ask, lang, place } = shell
  if (!isOfFolder) return true
  const { name } = entry
  if (!ask) {
    tell(shell, 'bad', words.nobodyAgrees(toPlainLine(name))[lang])
    return false
  }
  const shown = await showDefinition(entry.config, { variables: place.env, lang })
  const question = words.takeQuestion
  return askAgreement({ name, source: { path }, shown }, { ...shell, ask, question })
}

/** A remote platform reads them: the person is asked before what they keep here is sent there. */
async function maySend({ link, ask, lang }: McpShell, given: readonly string[]): Promise<boolean> {
  if (link.kind === 'local' || !ask) return link.kind === 'local' || given.length > 0
  return ask.confirm(words.importSent(link.url)[lang])
}

async function readAll(configs: readonly FoundConfig[], shell: McpShell): Promise<Found[]> {
  const { link, signal } = shell
  const found: Found[] = []
  for (const { product, path, isOfFolder, text } of configs) {
    const { entries } = await link.client.servers.import(text, { signal })
    const from = `${product} · ${path}`
    found.push(...entries.map((entry) => ({ entry, from, path, isOfFolder })))
  }
  return found
}

/** Most people have the same servers in several programs: the first of a name stays. */
function withoutRepeated(found: readonly Found[]): Found[] {
  const seen = new Set<string>()
  return found.map(({ entry, ...at }) => {
    const isRepeated = seen.has(entry.name) && entry.status === 'new'
    seen.add(entry.name)
    return { ...at, entry: isRepeated ? { ...entry, status: 'duplicate' as const } : entry }
  })
}

function isFresh(found: Found): found is Fresh {
  return found.entry.status === 'new'
}

/** Undefined where nobody has said which. */
async function chooseSome(fresh: readonly Fresh[], given: readonly string[], shell: McpShell) {
  if (given.includes('--all')) return chooseAll(fresh, shell)
  const names = new Set(given)
  if (names.size > 0) return fresh.filter(({ entry }) => names.has(entry.name))
  return shell.ask && chooseByList(fresh, shell.ask, shell)
}

/** All but what came with the folder, which is told. */
function chooseAll(fresh: readonly Fresh[], shell: McpShell): Fresh[] {
  const { lang, called } = shell
  const left = fresh.filter(({ isOfFolder }) => isOfFolder).map(({ entry }) => entry.name)
  if (left.length > 0) tell(shell, 'warn', words.leftOut(called, left)[lang])
  return fresh.filter(({ isOfFolder }) => !isOfFolder)
}

async function chooseByList(fresh: readonly Fresh[], ask: Asking, shell: McpShell) {
  const { lang } = shell
  const chosen: Fresh[] = []
  for (let left = fresh; left.length > 0; ) {
    const own = left.filter(({ isOfFolder }) => !isOfFolder).length
    const all = { value: 'all' as const, label: words.importAll(own)[lang] }
    const done = { value: 'done' as const, label: words.importDone[lang] }
    const items = left.map((one) => ({
      value: one,
      label: toPlainLine(one.entry.name),
      about: toPlainLine(`${one.from} · ${showWay(one.entry)}`),
    }))
    const picked = await ask.choose<Fresh | 'all' | 'done'>(words.importTitle[lang], [
      ...(own > 0 ? [all] : []),
      ...items,
      done,
    ])
    if (picked === 'all') return [...chosen, ...chooseAll(left, shell)]
    if (picked === undefined || picked === 'done') break
    chosen.push(picked)
    left = left.filter((one) => one !== picked)
  }
  return chosen
}
