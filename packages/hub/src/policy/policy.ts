import { type Clock, createTurns, systemClock } from '@dataagent/guard'
import type { Catalogue, CatalogueEntry } from '../catalogue/index.ts'
import { createNote, type Note } from '../changes/index.ts'
import { isAuditor, isSomeone, type Principal } from '../principal.ts'
import type { Revisions } from '../revisions/index.ts'
import { originOf, platformTenant, type Servers } from '../servers/index.ts'
import type { HeldSessions } from '../sessions/index.ts'
import type { ToolRef } from '../tool-ref.ts'
import { createCallers } from './callers.ts'
import { createChanges } from './changes.ts'
import type {
  AllowEntry,
  Explanation,
  JudgedContext,
  Limit,
  Policy,
  PolicyRows,
  Reason,
  Step,
  TenantFeatures,
  Verdict,
} from './contract.ts'
import { createHeldPolicies } from './held-policies.ts'
import { conclude, type Judged, judge, serverOf } from './judge.ts'
import { listTools } from './listing.ts'
import { defaultQuotas, type PolicyQuotas } from './quotas.ts'
import { resolveTool } from './resolve.ts'
import { toSubjectKey } from './subject-index.ts'
import { withBrought } from './with-brought.ts'
import { withoutServers } from './without-servers.ts'
import { toStepText } from './words.ts'

export interface PolicyOptions {
  rows: PolicyRows
  servers: Pick<Servers, 'visibleTo'>
  catalogue: Pick<Catalogue, 'named' | 'get' | 'ofServer' | 'revision'>
  features: TenantFeatures
  publish: Revisions['publish']
  unconfirmedMs: Revisions['unconfirmedMs']
  /** Default: no session differs from what is newest. */
  snapshotOf?: HeldSessions['snapshotOf']
  note?: Note
  clock?: Clock
  /** Memory that was not confirmed for longer denies everything. */
  confirmWithinMs?: number
  /** What a tenant without a list of its own is bound to. */
  defaultAllow?: readonly AllowEntry[]
  /** Callers whose verdicts and lists are kept. */
  maxCallers?: number
  quotas?: Partial<PolicyQuotas> | undefined
}

/** Tools of one caller whose judgements are kept. */
const maxJudged = 512
const noTools: readonly CatalogueEntry[] = Object.freeze([])
const calledByAuditor: Reason = Object.freeze({ kind: 'role', role: 'auditor' })

/** One policy for all callers, in memory; `reload` fills it. */
export function createPolicy(options: PolicyOptions): Policy {
  const { rows, servers, catalogue, features, publish, unconfirmedMs } = options
  const { clock = systemClock, confirmWithinMs = 5_000 } = options
  const { defaultAllow = [], maxCallers = 1_000, snapshotOf = () => undefined } = options
  const { note = createNote({ clock }) } = options
  const policies = createHeldPolicies({ rows, clock })
  const callerOf = createCallers({
    ...{ policies, features, servers, snapshotOf, defaultAllow, max: maxCallers },
  })
  const handlers = new Set<(tenant_id: string) => void>()
  /** An older state that was read must not replace a newer one. */
  const inTurn = createTurns()

  function tell(tenant_ids: readonly string[]): void {
    for (const tenant_id of tenant_ids) for (const handler of handlers) handler(tenant_id)
  }

  const changes = createChanges({
    ...{ rows, policies, clock, note },
    quotas: { ...defaultQuotas, ...options.quotas },
    async change(tenant_id, work) {
      const done = await inTurn(work)
      tell([tenant_id])
      await publish(tenant_id, 'policy')
      return done
    },
  })

  function judgedFor(context: JudgedContext, entry: CatalogueEntry): Judged {
    const caller = callerOf(context)
    const known = caller.judged.get(entry)
    if (known !== undefined && known.server === serverOf(caller, entry)) return known
    const judged = judge(caller, entry)
    if (caller.judged.size >= maxJudged) caller.judged.clear()
    caller.judged.set(entry, judged)
    return judged
  }

  /** Set where memory is too old to decide by. */
  function unconfirmed(): Verdict | undefined {
    const since_ms = unconfirmedMs()
    if (since_ms <= confirmWithinMs) return undefined
    const by = {
      kind: 'unconfirmed',
      since_ms: Math.min(since_ms, Number.MAX_SAFE_INTEGER),
    } as const
    return { status: 'deny', revision: policies.revision, by }
  }

  /** Set where nothing has to be known of the tool to deny it. */
  function refusedAtOnce(principal: Principal): Verdict | undefined {
    const deny = (by: Reason) => ({ status: 'deny', revision: policies.revision, by }) as const
    if (!isSomeone(principal)) return deny({ kind: 'not_visible' })
    return isAuditor(principal) ? deny(calledByAuditor) : unconfirmed()
  }

  function decide(context: JudgedContext, entry: CatalogueEntry): Verdict {
    return refusedAtOnce(context.principal) ?? conclude(judgedFor(context, entry), context, clock)
  }

  function explain(context: JudgedContext, entry: CatalogueEntry): Explanation {
    const tool = { server_id: originOf(entry.tool.server_id), name: entry.tool.name }
    const steps: Explanation['steps'] = []
    const take = (what: Step, decided: boolean) =>
      steps.push({ what, text: toStepText(what), decided })
    const refused = refusedAtOnce(context.principal)
    if (refused !== undefined) {
      take({ kind: 'refused_at_once', why: toWhy(refused.by) }, true)
      return { verdict: refused, tool, steps }
    }
    const judged = judge(callerOf(context), entry, take)
    const verdict = conclude(judged, context, { now: clock.now, note: take })
    return { verdict, tool, steps: withOneDecision(steps) }
  }

  function list(context: JudgedContext): readonly CatalogueEntry[] {
    const { principal, session_id, run, tools } = context
    if (refusedAtOnce(principal) !== undefined) return noTools
    const caller = callerOf(context)
    const others = listTools({
      ...{ caller, catalogue, session_id, now: clock.now() },
      judge(entry) {
        const judged = judge(caller, entry)
        return { judged, isAllowed: conclude(judged, { session_id }, clock).status !== 'deny' }
      },
    })
    const left = run?.without ? withoutServers(others, run.without) : others
    if (tools === undefined) return left
    const brought = tools.entries.filter((entry) => decide(context, entry).status !== 'deny')
    return withBrought(tools, brought, left)
  }

  /** Those that the name may mean, without deciding yet whose they are. */
  function candidates(context: JudgedContext, name: string | ToolRef): readonly CatalogueEntry[] {
    const { tenant_id } = context.principal
    const brought = context.tools?.find(name)
    if (brought !== undefined) return [brought]
    if (typeof name === 'string') return catalogue.named(tenant_id, name)
    const edition = callerOf(context).servers.editions.get(originOf(name.server_id))
    const own = catalogue.get(tenant_id, edition ? { ...name, server_id: edition } : name)
    const shared = catalogue.get(platformTenant, name)
    if (shared === undefined || shared === own) return own === undefined ? noTools : [own]
    return own === undefined ? [shared] : [own, shared]
  }

  /** What the audit holds where no tool has the name. */
  function nothingFor(context: JudgedContext): Verdict {
    const { tenant, platform } = callerOf(context)
    const revision = Math.max(tenant.revision, platform.revision)
    return (
      refusedAtOnce(context.principal) ?? { status: 'deny', revision, by: { kind: 'not_visible' } }
    )
  }

  function limitsFor(principal: Principal, { name, ...tool }: ToolRef): Limit[] {
    const caller = callerOf({ principal })
    const server_id = originOf(tool.server_id)
    const { tenant, platform, tenantKeys, platformKeys } = caller
    const owner = caller.servers.byId.get(server_id)?.tenant_id ?? platformTenant
    const found: Limit[] = []
    const platformServer = owner === platformTenant ? server_id : undefined
    platform.limits.find(platformKeys, platformServer, name, found)
    tenant.limits.find(tenantKeys, server_id, name, found)
    return found
  }

  return {
    get revision() {
      return policies.revision
    },
    decide,
    explain,
    list,
    resolve: (context, name) =>
      resolveTool({
        name: typeof name === 'string' ? name : undefined,
        entries: candidates(context, name),
        decide: (entry) => decide(context, entry),
        nothing: () => nothingFor(context),
      }),
    limitsFor,
    allowList: (tenant_id, subject) =>
      policies.of(tenant_id).lists.get(toSubjectKey(subject))?.list,
    ...changes,
    reload: async (tenant_id) => tell(await inTurn(() => policies.load(tenant_id))),
    onChange(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
  }
}

/** The last step that decided is the one that did: a run's reading may come after a rule. */
function withOneDecision(steps: Explanation['steps']): Explanation['steps'] {
  const at = steps.findLastIndex(({ decided }) => decided)
  return steps.map((step, index) => ({ ...step, decided: index === at }))
}

function toWhy({ kind }: Reason) {
  return kind === 'unconfirmed' || kind === 'role' ? kind : 'nobody'
}
