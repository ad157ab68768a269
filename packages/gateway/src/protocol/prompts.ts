import type { Reply } from './contract.ts'
import { rpcCodes, toFaultReply } from './faults.ts'
import type { ListAge, ListKind } from './feature-lists.ts'
import {
  type Asking,
  type FeatureServers,
  type Member,
  notKnownNow,
  withModernParts,
} from './feature-servers.ts'

const prompts: ListKind = {
  ...{ capability: 'prompts', method: 'prompts/list', member: 'prompts' },
  judgedAs: 'prompts/list',
}

/**
 * `prompts/*` over all servers of a group: under their own names; where two servers have one of the
 * same name, that of the one that was registered later is called `server_name`.
 */
export function createPrompts(servers: FeatureServers) {
  async function named(asking: Asking, age: ListAge) {
    const byName = new Map<string, Member>()
    const { members, isWhole } = await servers.gather(asking, prompts, age)
    for (const member of members) {
      const own = member.item.name
      if (typeof own !== 'string') continue
      const name = byName.has(own) ? `${member.server.name}_${own}` : own
      if (!byName.has(name)) byName.set(name, member)
    }
    return { byName, isWhole }
  }

  /**
   * Whose prompt it is, and what it is called there. Rejects with `unavailable` where one may have
   * it that does not say so now.
   */
  async function findOwner(asking: Asking, name: string) {
    const having = servers.having(asking.caller, 'prompts')
    const [only] = having
    if (only !== undefined && having.length === 1) return { server: only, name }
    const known = (await named(asking, 'known')).byName.get(name)
    const member = known ?? (await findRenewed(asking, name))
    return member && { server: member.server, name: member.item.name as string }
  }

  async function findRenewed(asking: Asking, name: string): Promise<Member | undefined> {
    const { byName, isWhole } = await named(asking, 'renewed')
    const member = byName.get(name)
    if (member === undefined && !isWhole) throw notKnownNow(name)
    return member
  }

  return {
    findOwner,
    async list(asking: Asking): Promise<Reply> {
      const { byName } = await named(asking, 'current')
      const members = [...byName].map(([name, { item }]) => ({ ...item, name }))
      return { kind: 'result', result: withModernParts({ prompts: members }, asking.exchange) }
    },
    async get(asking: Asking): Promise<Reply> {
      const { params = {} } = asking.request
      if (typeof params.name !== 'string') {
        return toFaultReply(rpcCodes.params, 'Send the name of the prompt.')
      }
      const owner = await findOwner(asking, params.name)
      if (owner === undefined) return toUnknown(params.name)
      const { _meta, ...rest } = params
      const reply = await servers.answer(asking, owner.server.server_id, {
        ...rest,
        name: owner.name,
      })
      return withType(reply, asking)
    },
  }
}

function withType(reply: Reply, { exchange }: Asking): Reply {
  if (reply.kind !== 'result') return reply
  const { resultType: _type, ...result } = reply.result
  if (exchange.era === 'legacy') return { kind: 'result', result }
  return { kind: 'result', result: { ...result, resultType: 'complete' } }
}

function toUnknown(name: string): Reply {
  return toFaultReply(rpcCodes.params, `Unknown prompt: ${name}`)
}
