import { createToolFilter } from '@dataagent/mcp'
import { sha256 } from '../canonical-json.ts'
import type { CatalogueEntry, Offer } from '../catalogue/index.ts'
import type { RegisteredServer } from '../servers/index.ts'
import { findMethod } from './methods.ts'

/** One object for each, so that what was judged of it can be kept. */
const known = new WeakMap<RegisteredServer, Map<string, CatalogueEntry>>()

/** A method of a server as if it were one of its tools. Undefined for one that is not passed on. */
export function toMethodEntry(
  server: RegisteredServer,
  method: string,
): CatalogueEntry | undefined {
  const entries = known.get(server) ?? new Map<string, CatalogueEntry>()
  known.set(server, entries)
  const found = entries.get(method)
  if (found !== undefined) return found
  const schema = findMethod(method)?.schema
  if (schema === undefined) return undefined
  const { tenant_id, server_id, config } = server
  const entry: CatalogueEntry = {
    tool: {
      ...{ tenant_id, server_id, name: method, state: 'active', version: 1 },
      hash: sha256(method),
      definition: { name: method, description: '', inputSchema: schema, annotations },
      ...{ findings: [], position: 0, created_at: 0, seen_at: 0 },
    },
    offer: toOffer(server, method),
    sdk_name: `${config.name}.${method}`,
    wire_name: method.replaceAll('/', '_'),
  }
  entries.set(method, entry)
  return entry
}

const annotations = { readOnlyHint: true, openWorldHint: false }

/** What filters a server's tools filters its methods: `*` is all, a list of tools is no method. */
function toOffer({ config }: RegisteredServer, method: string): Offer {
  const { allowedTools, blockedTools } = config
  const isOpen = allowedTools.some(isStar)
  const isUsed = createToolFilter({ allowedTools: isOpen ? [] : allowedTools, blockedTools })
  if (isUsed(method) && !blockedTools.some(isStar)) return { status: 'offered' }
  return { status: 'withheld', why: 'filtered' }
}

function isStar(pattern: string): boolean {
  return /^\*+$/.test(pattern)
}
