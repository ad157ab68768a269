import type { CatalogueEntry } from '../catalogue/index.ts'
import type { Principal, Subject } from '../principal.ts'
import { createRecent } from '../recent.ts'
import { platformTenant, type Servers } from '../servers/index.ts'
import type { HeldSessions } from '../sessions/index.ts'
import { areSame } from './are-same.ts'
import { type BoundList, createBoundList } from './bound-list.ts'
import type { AllowEntry, JudgedContext, TenantFeatures } from './contract.ts'
import { type Features, toFeatures } from './features.ts'
import type { createHeldPolicies } from './held-policies.ts'
import type { Judged } from './judge.ts'
import type { Listing } from './listing.ts'
import { toSubjectKey } from './subject-index.ts'
import type { TenantPolicy } from './tenant-policy.ts'
import { type VisibleServers, visibleServers } from './visible-servers.ts'

/** A list that one of the caller's identities is held to. */
export interface Held {
  /** Who is held to it, and whose list it is: another's where it is inherited. */
  subject: Subject
  of: Subject | 'installation'
  bound: BoundList
}

/** A caller, and what was found out for it; thrown away when its policy changes. */
export interface Caller {
  principal: Principal
  /** When its session began, where that makes a difference. */
  at: number | undefined
  tenant: TenantPolicy
  tenantStamp: object
  platform: TenantPolicy
  platformStamp: object
  featureList: readonly string[]
  features: Features
  /** What rules of the tenant, and of the platform, may call it. */
  tenantKeys: string[]
  platformKeys: string[]
  held: Held[]
  servers: VisibleServers
  judged: Map<CatalogueEntry, Judged>
  listings: Map<string, Listing>
}

type Who = Pick<Caller, 'principal' | 'at'>
type CallerContext = Pick<JudgedContext, 'principal' | 'session_id'>

export interface CallersOptions {
  policies: ReturnType<typeof createHeldPolicies>
  features: TenantFeatures
  servers: Pick<Servers, 'visibleTo'>
  snapshotOf: HeldSessions['snapshotOf']
  defaultAllow: readonly AllowEntry[]
  /** The most that are kept. */
  max: number
}

/** The callers of late, each with what holds for it. */
export function createCallers(options: CallersOptions) {
  const { policies, features, servers, snapshotOf, defaultAllow, max } = options
  const byKey = createRecent<Caller>(max)
  const byDefault = createBoundList(defaultAllow)

  function isCurrent(caller: Caller, { principal, at }: Who): boolean {
    return (
      caller.at === at &&
      isSame(caller.principal, principal) &&
      caller.tenant === policies.of(principal.tenant_id) &&
      caller.tenantStamp === caller.tenant.stamp &&
      caller.platform === policies.of(platformTenant) &&
      caller.platformStamp === caller.platform.stamp &&
      areSame(caller.featureList, features.featuresOf(principal.tenant_id))
    )
  }

  function make({ principal, at }: Who, before: Caller | undefined): Caller {
    const tenant = policies.of(principal.tenant_id)
    const platform = policies.of(platformTenant)
    const featureList = [...features.featuresOf(principal.tenant_id)]
    return {
      principal: { ...principal },
      at,
      tenant,
      tenantStamp: tenant.stamp,
      platform,
      platformStamp: platform.stamp,
      featureList,
      features: toFeatures(featureList),
      tenantKeys: toTenantKeys(principal),
      platformKeys: toPlatformKeys(principal),
      held: toHeld(principal, tenant, byDefault),
      servers: visibleServers(servers, { principal, at }, before?.servers),
      judged: new Map(),
      listings: new Map(before && [...before.listings].map(([key, it]) => [key, outdate(it)])),
    }
  }

  function find(who: Who): Caller {
    const key = toKey(who)
    const known = byKey.get(key)
    if (known !== undefined && isCurrent(known, who)) return known
    const caller = make(who, known)
    byKey.set(key, caller)
    return caller
  }

  /** One call asks several times for its caller. */
  let last: Caller | undefined

  return function callerOf({ principal, session_id }: CallerContext): Caller {
    const who = { principal, at: snapshotOf(principal, session_id) }
    last = last !== undefined && isCurrent(last, who) ? last : find(who)
    last.servers = visibleServers(servers, who, last.servers)
    return last
  }
}

const outdate = (listing: Listing): Listing => ({ ...listing, catalogueRevision: -1 })

function isSame(one: Principal, other: Principal): boolean {
  return (
    one.tenant_id === other.tenant_id &&
    one.user_id === other.user_id &&
    one.agent_id === other.agent_id &&
    one.api_key === other.api_key &&
    one.group_id === other.group_id
  )
}

/** Two callers of one key, which their ids cannot make, would only take turns: see `isCurrent`. */
function toKey({ principal, at }: Who): string {
  const { tenant_id, user_id, agent_id, api_key, group_id } = principal
  return `${tenant_id} ${user_id} ${agent_id} ${api_key} ${group_id} ${at}`
}

/** The identities that must each be allowed a tool. */
function identitiesOf({ agent_id, api_key, group_id }: Principal): Subject[] {
  const identities: Subject[] = []
  if (agent_id !== undefined) identities.push({ kind: 'agent', id: agent_id })
  if (api_key !== undefined) identities.push({ kind: 'api_key', id: api_key })
  if (group_id !== undefined) identities.push({ kind: 'group', id: group_id })
  return identities
}

function allSubjects(principal: Principal): Subject[] {
  const { user_id, tenant_id } = principal
  const subjects = identitiesOf(principal)
  if (user_id !== null) subjects.push({ kind: 'user', id: user_id })
  return [...subjects, { kind: 'tenant', id: tenant_id }]
}

function toTenantKeys(principal: Principal): string[] {
  return allSubjects(principal).flatMap((subject) => [
    toSubjectKey(subject),
    toSubjectKey({ ...subject, id: '*' }),
  ])
}

/** A platform's rule names no one but tenants: ids of others are the tenants' own. */
function toPlatformKeys(principal: Principal): string[] {
  const kinds = allSubjects(principal).map(({ kind }) => toSubjectKey({ kind, id: '*' }))
  return [...kinds, toSubjectKey({ kind: 'tenant', id: principal.tenant_id })]
}

const nothing = createBoundList([])

function toHeld(principal: Principal, tenant: TenantPolicy, byDefault: BoundList): Held[] {
  const { user_id, tenant_id } = principal
  const findOwn = (subject: Subject) =>
    tenant.lists.get(toSubjectKey(subject)) ??
    tenant.lists.get(toSubjectKey({ ...subject, id: '*' }))

  function inherit(subject: Subject): Held {
    const above: Subject[] = [{ kind: 'tenant', id: tenant_id }]
    if (user_id !== null) above.unshift({ kind: 'user', id: user_id })
    for (const of of above) {
      const own = findOwn(of)
      if (own) return { subject, of: own.list.subject, bound: own.bound }
    }
    return { subject, of: 'installation', bound: byDefault }
  }

  function hold(subject: Subject): Held {
    const own = findOwn(subject)
    if (own) return { subject, of: own.list.subject, bound: own.bound }
    return subject.kind === 'group' ? { subject, of: subject, bound: nothing } : inherit(subject)
  }

  const identities = identitiesOf(principal)
  if (identities.length > 0) return identities.map(hold)
  if (user_id !== null) return [inherit({ kind: 'user', id: user_id })]
  return [inherit({ kind: 'tenant', id: tenant_id })]
}
