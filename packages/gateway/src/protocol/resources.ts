import type { Reply } from './contract.ts'
import { rpcCodes, toFaultReply } from './faults.ts'
import {
  type Asking,
  type FeatureServer,
  type FeatureServers,
  type Member,
  withModernParts,
} from './feature-servers.ts'
import { fitsTemplate } from './uri-template.ts'

const resources = { capability: 'resources', method: 'resources/list', member: 'resources' }
const templates = {
  capability: 'resources',
  method: 'resources/templates/list',
  member: 'resourceTemplates',
}

/** `resources/*` over all servers of a group. Of two that have the same URI the first answers. */
export function createResources(servers: FeatureServers) {
  async function list(asking: Asking, what: typeof resources, key: string): Promise<Reply> {
    const seen = new Map<unknown, Record<string, unknown>>()
    for (const { item } of await servers.gather(asking, what)) {
      if (!seen.has(item[key])) seen.set(item[key], item)
    }
    const result = withModernParts({ [what.member]: [...seen.values()] }, asking.exchange)
    return { kind: 'result', result }
  }

  /** Whose the resource is: a server that lists it, else one with a template that it fits. */
  async function findOwner(asking: Asking, uri: string): Promise<FeatureServer | undefined> {
    const having = servers.having(asking.caller, 'resources')
    if (having.length <= 1) return having[0]
    const [listed, shaped] = await Promise.all([
      servers.gather(asking, resources),
      servers.gather(asking, templates),
    ])
    const isShaped = ({ item: { uriTemplate } }: Member) =>
      typeof uriTemplate === 'string' && (uriTemplate === uri || fitsTemplate(uriTemplate, uri))
    return (listed.find(({ item }) => item.uri === uri) ?? shaped.find(isShaped))?.server
  }

  async function read(asking: Asking): Promise<Reply> {
    const uri = asking.request.params?.uri
    if (typeof uri !== 'string') return toFaultReply(rpcCodes.params, 'Send the uri to read.')
    const owner = await findOwner(asking, uri)
    if (owner === undefined) return toNotFound(uri, asking)
    const reply = await servers.answer(asking, owner.server_id, { uri })
    if (reply.kind === 'error' && reply.error.code === rpcCodes.notFound) {
      return toNotFound(uri, asking)
    }
    if (reply.kind !== 'result') return reply
    return { kind: 'result', result: withModernParts(reply.result, asking.exchange) }
  }

  return {
    list: (asking: Asking) => list(asking, resources, 'uri'),
    listTemplates: (asking: Asking) => list(asking, templates, 'uriTemplate'),
    read,
    findOwner,
  }
}

/** -32602 since 2026-07-28 (SEP-2164), -32002 before. */
function toNotFound(uri: string, { exchange }: Asking): Reply {
  const code = exchange.era === 'modern' ? rpcCodes.params : rpcCodes.notFound
  return toFaultReply(code, 'Resource not found', { uri })
}
