import { completeCommands } from '../commands/index.ts'
import { type Complete, type Completion, rank } from '../input/index.ts'
import type { App } from './contract.ts'
import { keep } from './keep.ts'

/** What is read of the platform is kept for as long as someone is typing. */
const keptMs = 10_000
/** A look at a database takes longer, and its tables seldom change. */
const tablesKeptMs = 60_000
const filesMax = 200
const sourcesMax = 10

/** Completes commands, their arguments, and after `@` files, tools and tables. Never rejects. */
export function createComplete(app: () => App): Complete {
  const tools = keep(keptMs, readTools)
  const tables = keep(tablesKeptMs, readTables)

  /** The files of the folder that is typed so far, by their names. */
  async function files(text: string, signal: AbortSignal): Promise<Completion[]> {
    const { client } = await app().link()
    const slash = text.lastIndexOf('/')
    const folder = text.slice(0, Math.max(0, slash))
    const query = folder === '' ? {} : { path: folder }
    const { entries } = await client.files.list(query, { signal })
    return entries.slice(0, filesMax).map(({ path, kind }) => {
      const value = `${path}${kind === 'dir' ? '/' : ''}`
      return { value, label: value }
    })
  }

  async function readTools(): Promise<Completion[]> {
    const { client } = await app().link()
    const { tools } = await client.tools.list({ limit: 500 })
    return tools.map(({ server_id, name, description }) => {
      const value = `${server_id}.${name}`
      return { value, label: value, about: description }
    })
  }

  /** As `source.table`; a source that does not answer has none. */
  async function readTables(): Promise<Completion[]> {
    const { client } = await app().link()
    const { sources } = await client.data.sources()
    const asked = sources.filter(({ enabled }) => enabled).slice(0, sourcesMax)
    const found = asked.map(async ({ source_id, name }) => {
      const listed = await client.data.tables(source_id).catch(() => ({ tables: [] }))
      return listed.tables.map((table) => {
        const value = `${name}.${table.name}`
        return { value, label: value, about: table.description }
      })
    })
    return (await Promise.all(found)).flat()
  }

  async function mentions(text: string, signal: AbortSignal): Promise<readonly Completion[]> {
    const lists = await Promise.all([
      files(text, signal).catch(() => []),
      ...(text.includes('/') ? [] : [tools().catch(() => []), tables().catch(() => [])]),
    ])
    return rank(lists.flat(), text, ({ value }) => value)
  }

  return (query, signal) =>
    query.kind === 'mention'
      ? mentions(query.text, signal)
      : completeCommands(query, app(), signal).catch(() => [])
}
