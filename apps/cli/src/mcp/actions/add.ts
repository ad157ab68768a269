import type { ServerConfigInput } from '@dataagent/schema'
import type { Action, McpShell, Words } from './contract.ts'
import { fillIn, showEntry, type UsableEntry } from './preview.ts'
import { reloadFiles, storeServer } from './store-server.ts'
import { tell } from './tell.ts'
import { words } from './words.ts'

/**
 * Adds what is named (`NAME URL`, `NAME -- COMMAND ARGS…`) or whatever is pasted: JSON of any
 * program, a command line, an address, a link. Nothing of it is started before it was shown.
 */
export const add: Action = async (given, shell) => {
  const { name, words: left } = takeName(given.words)
  const named = toNamed(left, name)
  if (named) return (await storeAll([named], shell)) ? 0 : 1
  const text = await toText(given, left, shell)
  if (!text) {
    tell(shell, 'bad', words.addUsage(shell.called)[shell.lang])
    return 2
  }
  return addPasted(text, name, shell)
}

async function addPasted(text: string, name: string | undefined, shell: McpShell) {
  const { link, signal, lang, ask } = shell
  const { entries, error } = await link.client.servers.import(text, { signal })
  for (const entry of entries) showEntry(entry, shell)
  if (error !== undefined) tell(shell, 'warn', error)
  const usable = entries.filter((entry): entry is UsableEntry => entry.status !== 'invalid')
  const isWanted =
    usable.length > 0 && (await (ask?.confirm(words.addQuestion(usable.length)[lang]) ?? true))
  if (!isWanted) {
    tell(shell, usable.length === 0 ? 'bad' : 'info', words.nothingAdded[lang])
    return 1
  }
  const configs: ServerConfigInput[] = []
  for (const entry of usable) {
    const config = await fillIn(entry, shell)
    const own = usable.length === 1 ? name : undefined
    configs.push({ ...config, name: own ?? entry.proposed_name ?? config.name })
  }
  return (await storeAll(configs, shell)) ? 0 : 1
}

/** Whether all are there now. */
async function storeAll(configs: readonly ServerConfigInput[], shell: McpShell): Promise<boolean> {
  const stored: boolean[] = []
  for (const config of configs) stored.push(await storeServer(config, shell))
  if (stored.includes(true)) await reloadFiles(shell)
  return stored.every(Boolean)
}

function takeName(given: readonly string[]): { name: string | undefined; words: string[] } {
  const [first = '', second] = given
  if (first === '--name') return { name: second, words: given.slice(2) }
  const [, name] = /^--name=(.+)$/s.exec(first) ?? []
  return name === undefined ? { name, words: [...given] } : { name, words: given.slice(1) }
}

/** `NAME -- COMMAND ARGS…` and `NAME URL`, with `--env` and `--header` between. */
function toNamed(given: readonly string[], asked?: string): ServerConfigInput | undefined {
  const [name = '', ...left] = asked === undefined ? given : [asked, ...given]
  const { pairs, words: way } = takePairs(left)
  const [first = '', ...rest] = way
  if (first === '--' && rest[0] !== undefined) {
    const env = pairsOf(pairs, '=')
    return { name, command: rest[0], args: rest.slice(1), ...(env && { env }) }
  }
  const isAddress = /^https?:\/\/\S+$/i.test(first) && !/^https?:/i.test(name)
  if (!isAddress || rest.length > 0) return undefined
  const headers = pairsOf(pairs, ':')
  return {
    name,
    ...(isSse(first) && { transport: 'sse' }),
    url: first,
    ...(headers && { headers }),
  }
}

function takePairs(given: readonly string[]): { pairs: string[]; words: string[] } {
  const pairs: string[] = []
  let left = [...given]
  for (let [flag = ''] = left; /^--(?:env|header)(?:=|$)/.test(flag); [flag = ''] = left) {
    const [, value] = /^--\w+=(.*)$/s.exec(flag) ?? []
    pairs.push(value ?? left[1] ?? '')
    left = left.slice(value === undefined ? 2 : 1)
  }
  return { pairs, words: left }
}

function pairsOf(pairs: readonly string[], sign: '=' | ':'): Record<string, string> | undefined {
  const split = pairs.map((pair) => {
    const at = pair.indexOf(sign)
    return at < 1 ? [] : [[pair.slice(0, at), pair.slice(at + 1).trim()] as const]
  })
  return pairs.length === 0 ? undefined : Object.fromEntries(split.flat())
}

/** As it is told by where such servers answer. */
function isSse(url: string): boolean {
  return /\/sse\/?$/.test(URL.parse(url)?.pathname ?? '')
}

async function toText({ text, words: given }: Words, left: readonly string[], shell: McpShell) {
  const isWhole = given.length === left.length
  if (text !== '' && isWhole) return text
  if (text !== '') return text.replace(/^\s*--name[=\s]+(?:"[^"]*"|\S+)\s*/, '')
  if (left.length > 0) return left.join(' ')
  return shell.ask?.askText(words.addWhat[shell.lang])
}
