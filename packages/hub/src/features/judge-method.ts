import type { CatalogueEntry } from '../catalogue/index.ts'
import type { JudgedContext, Policy, Resolved, Verdict } from '../policy/index.ts'
import { originOf, type RegisteredServer, type Servers } from '../servers/index.ts'
import type { HeldSessions } from '../sessions/index.ts'
import type { ToolRef } from '../tool-ref.ts'
import { toMethodEntry } from './method-entry.ts'
import { findMethod } from './methods.ts'

export interface JudgeMeans {
  policy: Pick<Policy, 'decide' | 'resolve'>
  servers: Pick<Servers, 'visibleTo'>
  snapshotOf: HeldSessions['snapshotOf']
}

/** Decides on methods as the policy does on tools. */
export interface MethodJudge {
  visible(context: JudgedContext): readonly RegisteredServer[]
  resolve(context: JudgedContext, name: string | ToolRef): Resolved
  isAllowed(context: JudgedContext, server: RegisteredServer, method: string): boolean
}

export function createMethodJudge({ policy, servers, snapshotOf }: JudgeMeans): MethodJudge {
  return {
    visible,
    resolve(context, ref) {
      const { server_id, name } = typeof ref === 'string' ? { server_id: '', name: ref } : ref
      const judged = visible(context)
        .filter((server) => originOf(server.server_id) === originOf(server_id))
        .flatMap((server) => judge(context, server, name) ?? [])
      const best = judged.find(({ verdict }) => verdict.status !== 'deny')
      if (best) return { status: 'found', ...best }
      const [denied] = judged
      if (denied) return { status: 'unknown', ...denied }
      // Whoever the caller is, there is no server without an id.
      return policy.resolve(context, { server_id: '', name })
    },
    isAllowed(context, server, method) {
      const judged = judge(context, server, method)
      return judged?.verdict.status !== 'deny' && judged?.entry.offer.status === 'offered'
    },
  }

  function visible({ principal, session_id }: JudgedContext): readonly RegisteredServer[] {
    return servers.visibleTo(principal, snapshotOf(principal, session_id))
  }

  function judge(
    context: JudgedContext,
    server: RegisteredServer,
    name: string,
  ): { entry: CatalogueEntry; verdict: Verdict } | undefined {
    const method = findMethod(name)
    const entry = toMethodEntry(server, name)
    const judged = toMethodEntry(server, method?.judgedAs ?? name)
    if (!method || !entry || !judged) return undefined
    const verdict = policy.decide(context, judged)
    return { entry, verdict: method.weight === 'recorded' ? verdict : withoutAsking(verdict) }
  }
}

/** Nobody is asked whether a list may be read: only what is read from it can matter. */
function withoutAsking(verdict: Verdict): Verdict {
  if (verdict.status !== 'ask') return verdict
  const { revision, by } = verdict
  return { status: 'allow', revision, by }
}
