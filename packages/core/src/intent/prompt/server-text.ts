import type { CatalogueEntry } from '@dataagent/hub'
import type { ToolServer } from '../contract.ts'
import { toOneSentence } from './one-sentence.ts'
import { toToldEntry } from './told-entry.ts'

const descriptionMax = 200

/** A server's heading: what it is called and, where someone said it, what it is for [B5.1]. */
function toHeading({ name, alias, description }: ToolServer): string {
  const label = toOneSentence(alias ?? name, descriptionMax)
  const told = toOneSentence(description, descriptionMax)
  return told === '' || description === name ? `## ${label}` : `## ${label}: ${told}`
}

/** Level-1 lines under the headings of their servers, in the order of the servers. */
export function toLevelOne(
  entries: readonly CatalogueEntry[],
  servers: readonly ToolServer[],
): string {
  const groups = Map.groupBy(entries, ({ tool }) => tool.server_id)
  const byId = new Map(servers.map((server) => [server.server_id, server]))
  return [...groups]
    .map(([server_id, own]) => {
      const server = byId.get(server_id)
      const heading = server ? toHeading(server) : `## ${server_id}`
      return [heading, ...own.map((entry) => toToldEntry(entry).line)].join('\n')
    })
    .join('\n')
}

/** What is said of servers where every tool is given in full: only what someone described. */
export function toServerNotes(
  entries: readonly CatalogueEntry[],
  servers: readonly ToolServer[],
): string {
  const ids = new Set(entries.map(({ tool }) => tool.server_id))
  const notes = servers
    .filter(({ server_id, name, description }) => ids.has(server_id) && description !== name)
    .map(toHeading)
  return notes.length === 0
    ? ''
    : ['Connected servers, by the names of their tools:', ...notes].join('\n')
}
