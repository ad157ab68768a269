import { isAppError, isPlainObject, type JsonValue } from '@dataagent/schema/base'
import { toPlainLine } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import type { ConfigSource } from './contract.ts'
import { parseJsonc, toValue } from './jsonc/parse-jsonc.ts'
import { readText } from './read-text.ts'
import { unreadable, words } from './words.ts'

/** One server of a file, not yet looked at. */
export interface FoundEntry {
  name: string
  entry: unknown
  source: ConfigSource
}

/** Nobody has more, and nobody would look through them. */
const entriesMax = 200

export interface FoundEntries {
  entries: FoundEntry[]
  problems: string[]
}

/** What a file has, in either form. Of two under one name the last counts. Never rejects. */
export async function readEntries(source: ConfigSource, lang: Lang): Promise<FoundEntries> {
  const { path, kind } = source
  const file = await readText(path)
  if (file.status === 'missing')
    return nothing(kind === 'flag' ? unreadable.missing(path)[lang] : undefined)
  if (file.status === 'unreadable') return nothing(unreadable[file.why](path)[lang])
  if (file.text.trim() === '') return nothing(undefined)
  try {
    const listed = listServers(toValue(parseJsonc(file.text)))
    if (!listed) return nothing(words.noServers(path)[lang])
    const found = listed.slice(0, entriesMax).map(([name, entry]) => ({ name, entry, source }))
    const { entries, problems } = withoutTwice(found, lang)
    if (listed.length > entriesMax) problems.push(words.tooMany(path, entriesMax)[lang])
    return { entries, problems }
  } catch (error) {
    if (!isAppError(error)) throw error
    return nothing(words.notJson(path, error.message)[lang])
  }
}

/** Name and definition of each; undefined where the file is in neither form. */
function listServers(value: JsonValue): [string, unknown][] | undefined {
  const { servers, mcpServers } = isPlainObject(value) ? value : {}
  if (Array.isArray(servers)) return servers.map((entry, at) => [nameOf(entry, at), entry])
  return isPlainObject(mcpServers) ? Object.entries(mcpServers) : undefined
}

function nameOf(entry: unknown, at: number): string {
  return isPlainObject(entry) && typeof entry.name === 'string' ? entry.name : `#${at + 1}`
}

function withoutTwice(found: readonly FoundEntry[], lang: Lang): FoundEntries {
  const entries = new Map(found.map((one) => [one.name, one]))
  const counts = Map.groupBy(found, ({ name }) => name)
  const twice = [...counts].filter(([, same]) => same.length > 1)
  const problems = twice.map(
    ([name, [first]]) => `${first?.source.path}: ${words.twice(toPlainLine(name, 60))[lang]}`,
  )
  return { entries: [...entries.values()], problems }
}

function nothing(problem: string | undefined): FoundEntries {
  return { entries: [], problems: problem === undefined ? [] : [problem] }
}
