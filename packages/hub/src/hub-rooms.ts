import { randomUUID } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import { isPlainObject } from '@dataagent/schema'
import type { Catalogue, Observed } from './catalogue/index.ts'
import type { Note } from './changes/index.ts'
import { createSecretsBook } from './concealing/index.ts'
import { deriveKey } from './derive-key.ts'
import type { HubOptions } from './hub-options.ts'
import type { Revisions } from './revisions/index.ts'
import { createServerGate, createServers, type Servers } from './servers/index.ts'
import {
  createUpstreams,
  type UpstreamCall,
  type UpstreamKey,
  type Upstreams,
} from './upstreams/index.ts'

type ServerPlace = Pick<UpstreamKey, 'tenant_id' | 'server_id'>

/** The registry of servers as the hub's options want it. */
export function createHubServers(
  options: HubOptions,
  { publish, clock, note }: { publish: Revisions['publish']; clock: Clock; note: Note },
): Servers {
  return createServers({
    rows: options.store.servers,
    vault: options.vault,
    key: deriveKey(options.key, 'credentials'),
    gate: options.gate ?? createServerGate(),
    clock,
    note,
    publish: (tenant_id) => publish(tenant_id, 'servers'),
    ...(options.quotaOf && { quotaOf: options.quotaOf }),
  })
}

export interface UpstreamRooms {
  servers: Servers
  catalogue: Catalogue
  clock: Clock
}

/** The connections, from which comes no credential that was sent out on the same way. */
export function createHubUpstreams(options: HubOptions, rooms: UpstreamRooms): Upstreams {
  const { servers, catalogue, clock } = rooms
  const book = createSecretsBook({ masker: options.masker, clock })
  servers.onChange((change) => change.kind === 'removed' && book.forget(change))
  const upstreams = createUpstreams({
    servers: { ...servers, resolveFor },
    observe: (server, seen) => catalogue.observe(server, concealSeen(server, seen)),
    egressFor: options.egressFor,
    kv: options.kv,
    owner: randomUUID(),
    clock,
    limits: options.settings?.upstreams,
    questions: options.questions,
    sandboxFor: options.sandboxFor,
    createTransport: options.createTransport,
    onLog: ({ text, ...line }) => options.onLog?.({ ...line, message: text }),
  })
  return {
    ...upstreams,
    async call(key, call) {
      const quiet = { ...call, options: toQuiet(key, call.options) }
      const answer = await upstreams.call(key, quiet).catch((error) => {
        if (error instanceof Error) error.message = book.conceal(key, error.message)
        throw error
      })
      return { ...answer, result: book.conceal(key, answer.result) }
    },
  }

  async function resolveFor(...[server, user_id]: Parameters<Servers['resolveFor']>) {
    const resolved = await servers.resolveFor(server, user_id)
    const config = resolved.status === 'ok' ? resolved.config : undefined
    const { tenant_id, server_id } = server
    book.learn({ tenant_id, server_id, user_id }, config)
    return resolved
  }

  /** By the server's own credentials alone, and never what a tool is called. */
  function concealSeen(place: ServerPlace, seen: Observed): Observed {
    if (seen.status !== 'offers') return seen
    const { user_id = null } = servers.get(place.tenant_id, place.server_id) ?? {}
    const conceal = (tool: unknown) => {
      const clean = book.conceal({ ...place, user_id }, tool)
      return isPlainObject(tool) && isPlainObject(clean) ? { ...clean, name: tool.name } : clean
    }
    return { ...seen, tools: { [Symbol.iterator]: () => Iterator.from(seen.tools).map(conceal) } }
  }

  function toQuiet(key: UpstreamKey, given: UpstreamCall['options']): UpstreamCall['options'] {
    const { onProgress } = given
    if (onProgress === undefined) return given
    return { ...given, onProgress: (progress) => onProgress(book.conceal(key, progress)) }
  }
}
