import type { DataSource } from '@dataagent/schema'
import type { App } from '../../app/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import { noSource, unknownSource, whichSource } from './words.ts'

/** Those that can be asked. */
export async function listSources(app: App, signal = app.signal): Promise<DataSource[]> {
  const { client } = await app.link()
  const { sources } = await client.data.sources({ signal })
  return sources.filter(({ enabled }) => enabled)
}

/** The one of that name, or the only one; undefined where there is none such, which was told. */
export async function findSource(
  name: string | undefined,
  app: App,
): Promise<DataSource | undefined> {
  const sources = await listSources(app)
  const found = name === undefined ? onlyOf(sources) : named(sources, name)
  if (found === undefined) app.tell('warn', explain(sources, name)[app.lang])
  return found
}

function explain(sources: readonly DataSource[], name: string | undefined) {
  const names = sources.map((source) => toPlainLine(source.name, 40))
  if (names.length === 0) return noSource
  return name === undefined ? whichSource(names) : unknownSource(toPlainLine(name, 40), names)
}

function named(sources: readonly DataSource[], name: string): DataSource | undefined {
  return sources.find((source) => source.name.toLowerCase() === name.toLowerCase())
}

/** One's own files are asked where nothing else can be meant. */
export function onlyOf(sources: readonly DataSource[]): DataSource | undefined {
  const others = sources.filter(({ source_id }) => source_id !== 'workspace')
  const [only] = others.length > 0 ? others : sources
  return others.length > 1 ? undefined : only
}
