import type { CatalogueEntry } from '@dataagent/hub'
import { isPlainObject } from '@dataagent/schema'
import type { ToolServer } from '../contract.ts'
import { keptByLists } from '../kept-by-lists.ts'
import { toTerms } from './terms.ts'

/** Tools by the words of their names, descriptions and parameters. */
export interface ToolSearch {
  /** The best first. */
  find(query: string, limit: number): CatalogueEntry[]
}

/** The search over these tools, made when it is first asked for. */
export const toolSearchOf = keptByLists(createToolSearch)

/** Okapi BM25's own constants. */
const k1 = 1.2
const b = 0.75

interface Posting {
  tool: number
  weight: number
}

function createToolSearch(
  entries: readonly CatalogueEntry[],
  servers: readonly ToolServer[],
): ToolSearch {
  const byId = new Map(servers.map((server) => [server.server_id, server]))
  const documents = entries.map((entry) => weigh(entry, byId.get(entry.tool.server_id)))
  const postings = new Map<string, Posting[]>()
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / (documents.length || 1)
  documents.forEach(({ weights, length }, tool) => {
    for (const [term, count] of weights) {
      const weight = (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / mean))
      const found = postings.get(term)
      if (found) found.push({ tool, weight })
      else postings.set(term, [{ tool, weight }])
    }
  })
  return {
    find(query, limit) {
      const scores = new Map<number, number>()
      for (const term of new Set(toTerms(query))) {
        const found = postings.get(term) ?? []
        const rarity = Math.log(1 + (entries.length - found.length + 0.5) / (found.length + 0.5))
        for (const { tool, weight } of found) {
          scores.set(tool, (scores.get(tool) ?? 0) + rarity * weight)
        }
      }
      const ranked = [...scores].sort(([a, ofA], [b, ofB]) => ofB - ofA || a - b)
      return ranked.slice(0, limit).map(([tool]) => entries[tool]!)
    },
  }
}

interface Document {
  weights: ReadonlyMap<string, number>
  length: number
}

/** A word of the name tells more than one of the description. */
function weigh({ tool, sdk_name }: CatalogueEntry, server: ToolServer | undefined): Document {
  const { name, definition } = tool
  const fields: [string, number][] = [
    [`${name} ${definition.title ?? ''}`, 3],
    [parameterNames(definition.inputSchema).join(' '), 1],
    [definition.description ?? '', 1],
    [`${sdk_name} ${server?.description ?? ''} ${server?.trigger_keywords.join(' ') ?? ''}`, 0.5],
  ]
  const weights = new Map<string, number>()
  let length = 0
  for (const [text, weight] of fields) {
    for (const term of toTerms(text.slice(0, fieldMax))) {
      weights.set(term, (weights.get(term) ?? 0) + weight)
      length += weight
    }
  }
  return { weights, length }
}

const fieldMax = 4_000

function parameterNames({ properties }: { properties?: unknown }): string[] {
  return isPlainObject(properties) ? Object.keys(properties) : []
}
