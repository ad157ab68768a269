import type { Reply } from './contract.ts'
import { rpcCodes, toFaultReply } from './faults.ts'
import {
  type Asking,
  type FeatureServer,
  type FeatureServers,
  notKnownNow,
  withModernParts,
} from './feature-servers.ts'
import { toTemplateTest } from './uri-template.ts'

const resources = { capability: 'resources', method: 'resources/list', member: 'resources' }
const templates = {
  capability: 'resources',
  method: 'resources/templates/list',
  member: 'resourceTemplates',
}

interface Owners {
  ownerOf(uri: string): FeatureServer | undefined
  /** False where one that did not answer may have more. */
  isWhole: boolean
}

/** `resources/*` over all servers of a group. Of two that have the same URI the first answers. */
export function createResources(servers: FeatureServers) {
  async function list(asking: Asking, what: typeof resources, key: string): Promise<Reply> {
    const seen = new Map<unknown, Record<string, unknown>>()
    const { members } = await servers.gather(asking, what)
    for (const { item } of members) {
      if (!seen.has(item[key])) seen.set(item[key], item)
    }
    const result = withModernParts({ [what.member]: [...seen.values()] }, asking.exchange)
    return { kind: 'result', result }
  }

  /** Whose a resource is: a server that lists it, else one with a template that it fits. */
  async function findOwners(asking: Asking): Promise<Owners> {
    const having = servers.having(asking.caller, 'resources')
    if (having.length <= 1) return { ownerOf: () => having[0], isWhole: true }
    const [listed, shaped] = await Promise.all([
      servers.gather(asking, resources),
      servers.gather(asking, templates),
    ])
    const owners = new Map<unknown, FeatureServer>()
    for (const { item, server } of listed.members.toReversed()) owners.set(item.uri, server)
    const shapes = shaped.members.flatMap(({ item: { uriTemplate }, server }) =>
      typeof uriTemplate === 'string'
        ? [{ uriTemplate, fits: toTemplateTest(uriTemplate), server }]
        : [],
    )
    const shapeOf = (uri: string) =>
      shapes.find(({ uriTemplate, fits }) => uriTemplate === uri || fits(uri))?.server
    const ownerOf = (uri: string) => owners.get(uri) ?? shapeOf(uri)
    return { ownerOf, isWhole: listed.isWhole && shaped.isWhole }
  }

  /** Rejects with `unavailable` where one may have it that does not say so now. */
  async function findOwner(asking: Asking, uri: string): Promise<FeatureServer | undefined> {
    const { ownerOf, isWhole } = await findOwners(asking)
    const owner = ownerOf(uri)
    if (owner === undefined && !isWhole) throw notKnownNow(uri)
    return owner
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
    findOwners,
  }
}

/** -32602 since 2026-07-28 (SEP-2164), -32002 before. */
function toNotFound(uri: string, { exchange }: Asking): Reply {
  const code = exchange.era === 'modern' ? rpcCodes.params : rpcCodes.notFound
  return toFaultReply(code, 'Resource not found', { uri })
}
