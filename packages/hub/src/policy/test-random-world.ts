import { matchToolFilter } from '@dataagent/mcp'
import fc from 'fast-check'
import type { CatalogueEntry } from '../catalogue/index.ts'
import type { Principal, Subject } from '../principal.ts'
import { toToolKey } from '../tool-ref.ts'
import type { AllowEntry, JudgedContext, NewRule, Rule } from './contract.ts'
import { createTestWorld, platformAdmin } from './test-world.ts'

// Few ids and names, so that they clash; the second `get` has a Cyrillic е, the third is wide.
const serverIds = ['s1', 's2', 's3', 'mall']
const serverNames = ['mall', 'mаll', 'shop', 'two']
const toolNames = ['get', 'gеt', 'ｇet', 'mall.get', 's1/get', 'mcp_mall_get', 'search', 'a/b']
const subjects: Subject[] = [
  { kind: 'agent', id: 'a' },
  { kind: 'agent', id: '*' },
  { kind: 'api_key', id: 'k' },
  { kind: 'group', id: 'g' },
  { kind: 'user', id: 'ana' },
  { kind: 'user', id: '*' },
  { kind: 'tenant', id: '*' },
]
const ana: Principal = { tenant_id: 't1', user_id: 'ana', role: 'user' }
export const principals: Principal[] = [
  ana,
  { ...ana, agent_id: 'a' },
  { ...ana, agent_id: 'b', api_key: 'k' },
  { ...ana, user_id: null, group_id: 'g' },
  { ...ana, tenant_id: 't2' },
]

const pattern = fc.constantFrom(...toolNames, '*', 'g*', '?et', 'm*', '*/*')
const scope = { server_id: fc.constantFrom(...serverIds, '*'), tool: pattern }
const boundScope = {
  server_id: fc.constantFrom(...serverIds, '*', '*', '*'),
  tool: fc.oneof(pattern, fc.constant('*')),
}
const server = fc.record({
  tenant_id: fc.constantFrom('t1', 't1', 't2', '*'),
  server_id: fc.constantFrom(...serverIds),
  user_id: fc.constantFrom(null, null, 'ana', 'bo'),
  name: fc.constantFrom(...serverNames),
  alias: fc.constantFrom(undefined, ...serverNames),
  settings: fc.constantFrom({}, { approval: 'ask' as const }, { approval: 'deny' as const }),
  tools: fc.uniqueArray(fc.constantFrom(...toolNames), { minLength: 1, maxLength: 4 }),
  annotations: fc.constantFrom({}, { destructiveHint: true }),
})
const rule = fc.record({
  tier: fc.constantFrom('tenant' as const, 'user' as const, 'platform' as const),
  subject: fc.constantFrom(...subjects),
  ...scope,
  effect: fc.constantFrom('allow' as const, 'allow' as const, 'ask' as const, 'deny' as const),
  session_id: fc.constantFrom(null, null, 'here', 'there'),
  trusted: fc.boolean(),
})

/** Servers of two tenants and the platform, what is bound to whom, and rules. */
export const aWorld = fc.record({
  servers: fc.array(server, { minLength: 2, maxLength: 5 }),
  lists: fc.uniqueArray(
    fc.record({
      subject: fc.constantFrom(...subjects),
      entries: fc.array(fc.record(boundScope), { maxLength: 4 }),
    }),
    { selector: ({ subject }) => `${subject.kind} ${subject.id}`, minLength: 3, maxLength: 7 },
  ),
  rules: fc.array(rule, { maxLength: 5 }),
})
type Plan = typeof aWorld extends fc.Arbitrary<infer T> ? T : never

/** The plan as a policy, and beside it, said once more in the plainest way, what it must hold. */
export async function buildWorld({ servers, lists, rules }: Plan) {
  const world = createTestWorld()
  const entries = addServers(world, servers)
  for (const { subject, entries: bound } of lists) {
    await world.policy.setAllowList({ ...platformAdmin }, subject, bound)
  }
  const added: Rule[] = []
  for (const { trusted, ...fields } of rules) {
    const made = toRule({ ...fields, trusts: trusted && fields.effect === 'allow' ? ['web'] : [] })
    added.push(await world.policy.addRule({ ...platformAdmin }, made))
  }
  const names = entries.flatMap((entry) => [
    ...[entry.tool.name, entry.sdk_name, entry.wire_name, toToolKey(entry.tool)],
    `mcp.${entry.sdk_name}`,
  ])
  return {
    ...world,
    entries,
    allNames: [...new Set([...names, ...entries.map(({ tool }) => tool)])],
    contexts: principals.flatMap(toContexts),
    isBound: (principal: Principal, entry: CatalogueEntry) => isBound(lists, principal, entry),
    rulesFor: (context: JudgedContext, entry: CatalogueEntry) =>
      added.filter((each) => fitsRule(each, context, entry)),
  }
}

/** A tier has subjects that it cannot speak of: the nearest that it can. */
function toRule(made: NewRule): NewRule {
  if (made.tier === 'user') return { ...made, subject: { kind: 'user', id: 'ana' } }
  if (made.tier === 'tenant') return made
  return { ...made, subject: { ...made.subject, id: '*' } }
}

function addServers(
  { servers, catalogue }: ReturnType<typeof createTestWorld>,
  plans: Plan['servers'],
) {
  const entries: CatalogueEntry[] = []
  for (const { tools, annotations, alias, user_id, ...plan } of plans) {
    if (servers.get(plan.tenant_id, plan.server_id)) continue
    const owner = plan.tenant_id === '*' ? null : user_id
    const added = servers.add({ ...plan, user_id: owner, ...(alias && { alias }) })
    for (const name of tools) entries.push(catalogue.add(added, name, { annotations }))
  }
  return entries
}

function toContexts(principal: Principal): JudgedContext[] {
  const run = { run_id: 'r', untrusted: new Set(['web']) }
  return [{ principal }, { principal, session_id: 'here' }, { principal, session_id: 'here', run }]
}

const fits = (tool: string, name: string) => tool === '*' || matchToolFilter(tool, name)
const holds = (entries: readonly AllowEntry[], { tool }: CatalogueEntry) =>
  entries.some(
    (entry) => [tool.server_id, '*'].includes(entry.server_id) && fits(entry.tool, tool.name),
  )

function isBound(lists: Plan['lists'], principal: Principal, entry: CatalogueEntry): boolean {
  const { tenant_id, user_id, agent_id, api_key, group_id } = principal
  // The lists are those of t1.
  if (![tenant_id, '*'].includes(entry.tool.tenant_id) || tenant_id !== 't1') return false
  const listOf = (kind: Subject['kind'], id: string | null | undefined) =>
    lists.find((list) => list.subject.kind === kind && list.subject.id === id) ??
    (id ? lists.find((list) => list.subject.kind === kind && list.subject.id === '*') : undefined)
  const inherited = listOf('user', user_id) ?? listOf('tenant', tenant_id)
  const needed = []
  if (agent_id) needed.push(listOf('agent', agent_id) ?? inherited)
  if (api_key) needed.push(listOf('api_key', api_key) ?? inherited)
  if (group_id) needed.push(listOf('group', group_id))
  if (needed.length === 0) needed.push(inherited)
  return needed.every((list) => list !== undefined && holds(list.entries, entry))
}

function fitsRule(rule: Rule, { principal, session_id }: JudgedContext, { tool }: CatalogueEntry) {
  const ids = {
    agent: principal.agent_id,
    api_key: principal.api_key,
    group: principal.group_id,
    user: principal.user_id,
    tenant: principal.tenant_id,
  }
  const id = ids[rule.subject.kind]
  if (rule.tenant_id !== '*' && rule.tenant_id !== principal.tenant_id) return false
  if (!id || ![id, '*'].includes(rule.subject.id)) return false
  if (rule.session_id !== null && rule.session_id !== session_id) return false
  if (rule.server_id !== '*' && rule.server_id !== tool.server_id) return false
  if (rule.server_id !== '*' && rule.tenant_id === '*' && tool.tenant_id !== '*') return false
  return fits(rule.tool, tool.name)
}
