import type { Reply } from './contract.ts'
import { rpcCodes, toFaultReply } from './faults.ts'
import type { ListAge, ListKind } from './feature-lists.ts'
import {
  type Asking,
  type FeatureServer,
  type FeatureServers,
  type Member,
  notKnownNow,
  withModernParts,
} from './feature-servers.ts'
import { toTemplate, type UriTemplate } from './uri-template.ts'

const resources: ListKind = {
  ...{ capability: 'resources', method: 'resources/list', member: 'resources' },
  judgedAs: 'resources/list',
}
const templates: ListKind = {
  ...{ capability: 'resources', method: 'resources/templates/list', member: 'resourceTemplates' },
  judgedAs: 'resources/list',
}

interface Owners {
  ownerOf(uri: string): FeatureServer | undefined
  /** False where one that did not answer may have more. */
  isWhole: boolean
}

/**
 * `resources/*` over all servers of a group. Of two that have the same URI the one answers that was
 * registered first.
 */
export function createResources(servers: FeatureServers) {
  /** Of each item of a list that is kept: read once. */
  const shapes = new WeakMap<object, UriTemplate>()

  async function list(asking: Asking, what: ListKind, key: string): Promise<Reply> {
    const seen = new Map<unknown, Record<string, unknown>>()
    const { members } = await servers.gather(asking, what, 'current')
    for (const { item } of members) {
      if (!seen.has(item[key])) seen.set(item[key], item)
    }
    const result = withModernParts({ [what.member]: [...seen.values()] }, asking.exchange)
    return { kind: 'result', result }
  }

  /**
   * Whose a resource is: a server that lists it, else the one whose template it fits that says most
   * of it.
   */
  async function findOwners(asking: Asking, age: ListAge): Promise<Owners> {
    const having = servers.having(asking.caller, 'resources')
    if (having.length <= 1) return { ownerOf: () => having[0], isWhole: true }
    const [listed, shaped] = await Promise.all([
      servers.gather(asking, resources, age),
      servers.gather(asking, templates, age),
    ])
    const findListed = createFind(listed.members)
    const ownerOf = (uri: string) => (findListed(uri) ?? findShape(shaped.members, uri))?.server
    return { ownerOf, isWhole: listed.isWhole && shaped.isWhole }
  }

  function findShape(members: readonly Member[], uri: string): Member | undefined {
    let best: Member | undefined
    let bestLength = -1
    for (const member of members) {
      const length = shapeOf(member)?.fit(uri)
      if (length === undefined || length <= bestLength) continue
      best = member
      bestLength = length
    }
    return best
  }

  function shapeOf({ item }: Member): UriTemplate | undefined {
    if (typeof item.uriTemplate !== 'string') return undefined
    const shape = shapes.get(item) ?? toTemplate(item.uriTemplate)
    shapes.set(item, shape)
    return shape
  }

  /** Rejects with `unavailable` where one may have it that does not say so now. */
  async function findOwner(asking: Asking, uri: string): Promise<FeatureServer | undefined> {
    const known = (await findOwners(asking, 'known')).ownerOf(uri)
    if (known !== undefined) return known
    const { ownerOf, isWhole } = await findOwners(asking, 'renewed')
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
    findOwners: (asking: Asking) => findOwners(asking, 'current'),
  }
}

/** Who looks for one looks through them; who looks for several has them sorted. */
function createFind(members: readonly Member[]): (uri: string) => Member | undefined {
  let byUri: Map<unknown, Member> | undefined
  let looks = 0
  return (uri) => {
    looks += 1
    if (looks === 1) return members.find(({ item }) => item.uri === uri)
    byUri ??= new Map(members.toReversed().map((member) => [member.item.uri, member]))
    return byUri.get(uri)
  }
}

/** -32602 since 2026-07-28 (SEP-2164), -32002 before. */
function toNotFound(uri: string, { exchange }: Asking): Reply {
  const code = exchange.era === 'modern' ? rpcCodes.params : rpcCodes.notFound
  return toFaultReply(code, 'Resource not found', { uri })
}
