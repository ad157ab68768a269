import type { ImportPreview, ServerConfigInput } from '@dataagent/schema'
import { toPlainLine } from '../../ui/index.ts'
import type { McpShell } from './contract.ts'
import { words } from './words.ts'

/** One server that was found, in a pasted text or in a file. */
export type PreviewEntry = ImportPreview['entries'][number]
export type UsableEntry = Extract<PreviewEntry, { config: unknown }>

/** What was found, without a secret of it. */
export function showEntry(entry: PreviewEntry, shell: McpShell, from?: string): void {
  const { theme, lang, write } = shell
  const { glyphs, good, bad, dim, strong } = theme
  const name = strong(toPlainLine(entry.name, 40))
  const source = from === undefined ? '' : dim(`  ${toPlainLine(from)}`)
  if (entry.status === 'invalid') {
    write(`${bad(glyphs.failed)} ${name}  ${bad(words.preview.invalid[lang])}${source}`)
    write(`  ${toPlainLine(entry.message, 200)}`)
    return
  }
  const isNew = entry.status === 'new'
  const sign = isNew ? good(glyphs.done) : dim(glyphs.stopped)
  const state = (isNew ? good : dim)(words.preview[entry.status][lang])
  const other = from === undefined ? entry.proposed_name : undefined
  const as = other === undefined ? '' : ` → ${toPlainLine(other, 40)}`
  write(`${sign} ${name}  ${state}${as}${source}`)
  write(`  ${dim(toPlainLine(showWay(entry)))}`)
  for (const note of notesOf(entry, shell)) write(`  ${toPlainLine(note, 200)}`)
}

/** How it is started or reached; an argument that is a secret is left out. */
export function showWay({ config, secrets }: UsableEntry): string {
  const hidden = new Set(secrets.flatMap(({ path, kind }) => (kind === 'given' ? [path] : [])))
  if ('url' in config) return hidden.has('url') ? config.url.replace(/\?.*$/s, '?***') : config.url
  const args = (config.args ?? []).map((arg, at) => (hidden.has(`args[${at}]`) ? '***' : arg))
  return [config.command, ...args].join(' ')
}

function notesOf({ secrets, warnings }: UsableEntry, { lang }: McpShell): string[] {
  const pathsOf = (wanted: 'given' | 'needed') =>
    secrets.flatMap(({ path, kind }) => (kind === wanted ? [path] : [])).join(', ')
  const [given, needed] = [pathsOf('given'), pathsOf('needed')]
  return [
    ...(given === '' ? [] : [words.hasSecrets(given)[lang]]),
    ...(needed === '' ? [] : [words.fillIn(needed)[lang]]),
    ...warnings,
  ]
}

/** Asks for values that the text left open. What is not given stays as it is. */
export async function fillIn(entry: UsableEntry, shell: McpShell): Promise<ServerConfigInput> {
  const { ask } = shell
  let { config } = entry
  for (const { path, kind } of entry.secrets) {
    const place = /^(env|headers)(?:\.(.+)|\["(.+)"\])$/.exec(path)
    const name = place?.[2] ?? place?.[3]
    if (!ask || kind !== 'needed' || !place?.[1] || !name) continue
    const values = (config as Record<string, unknown>)[place[1]] as Record<string, string>
    if (isReference(values[name])) continue
    const title = `${toPlainLine(entry.name)}: ${toPlainLine(path)}`
    const value = await ask.askText(title, { isSecret: true })
    if (!value) continue
    config = { ...config, [place[1]]: { ...values, [name]: value } } as ServerConfigInput
  }
  return config
}

/** Filled in from the environment each time that a file is read. */
function isReference(value: string | undefined): boolean {
  return value !== undefined && /\$\{(?:env:)?[A-Za-z_]\w*(?::-[^}]*)?\}/.test(value)
}
