import type { App } from '../../app/index.ts'
import type { Completion } from '../../input/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import { listQueries } from './queries.ts'
import { listSources, onlyOf } from './sources.ts'

type Found = Promise<readonly Completion[]>

/** Numbers of queries first; sources after `--source`, tables after FROM and JOIN. */
export async function completeSql(words: string, app: App, signal: AbortSignal): Found {
  const typed = words.split(/\s+/)
  const last = typed.at(-1) ?? ''
  const before = typed.at(-2) ?? ''
  if (before === '--source') return sources(last, app, signal)
  if (typed.length === 1) return [...(await refs(last, app, signal)), ...flags(last, ['--source'])]
  if (typed.length === 2 && /^q\d+$/i.test(before)) return flags(last, ['--csv', '--xlsx'])
  if (!/^(?:from|join)$/i.test(before)) return flags(last, last === '' ? [] : ['--source'])
  const named = typed[typed.indexOf('--source') + 1]
  return tables(typed.includes('--source') ? named : undefined, last, { app, signal })
}

/** Sources, then their tables. */
export async function completeSchema(words: string, app: App, signal: AbortSignal): Found {
  const typed = words.split(/\s+/)
  const [source, table] = typed
  if (typed.length === 1) return sources(source ?? '', app, signal)
  return typed.length === 2 ? tables(source, table ?? '', { app, signal }) : []
}

export async function completeChart(words: string, app: App, signal: AbortSignal): Found {
  const typed = words.split(/\s+/)
  const last = typed.at(-1) ?? ''
  if (typed.length === 1) return refs(last, app, signal)
  return typed.length === 2 ? flags(last, ['--svg', '--html']) : []
}

async function refs(typed: string, app: App, signal: AbortSignal): Found {
  const queries = await listQueries(app, signal).catch(() => [])
  return queries
    .filter(({ ref }) => ref.startsWith(typed.toLowerCase()))
    .toReversed()
    .map(({ ref, purpose, sql }) => ({
      ...{ value: ref, label: ref, about: toPlainLine(purpose ?? sql, 60) },
    }))
}

async function sources(typed: string, app: App, signal: AbortSignal): Found {
  const found = await listSources(app, signal)
  return found
    .filter(({ name }) => begins(name, typed))
    .map(({ name, description }) => ({ value: name, label: name, about: description }))
}

async function tables(
  source: string | undefined,
  typed: string,
  { app, signal }: { app: App; signal: AbortSignal },
): Found {
  const all = await listSources(app, signal)
  const found = source === undefined ? onlyOf(all) : all.find(({ name }) => isSame(name, source))
  if (found === undefined) return []
  const { client } = await app.link()
  const listed = await client.data.tables(found.source_id, {}, { signal })
  return listed.tables
    .filter(({ name }) => begins(name, typed))
    .map(({ name, description = '' }) => ({ value: name, label: name, about: description }))
}

function flags(typed: string, known: readonly string[]): Completion[] {
  return known
    .filter((flag) => flag.startsWith(typed))
    .map((flag) => ({ value: flag, label: flag }))
}

/** A name with a blank in it would be two words. */
function begins(name: string, typed: string): boolean {
  return !/\s/.test(name) && name.toLowerCase().startsWith(typed.toLowerCase())
}

function isSame(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase()
}
