import type { Clock } from '@dataagent/guard'
import type { Hub } from '@dataagent/hub'
import { toCallContext } from './call-context.ts'
import type { Asking, FeatureServer } from './feature-servers.ts'
import { createKeptLists, type Item, type KeptList } from './kept-lists.ts'
import { toNobody } from './nobody.ts'

/** A list that servers give. */
export interface ListKind {
  capability: 'resources' | 'prompts'
  method: string
  /** The method that says whether it may be asked for. */
  judgedAs: string
  /** What the items are under, in the answer. */
  member: string
}

/**
 * How old a list may be. `known` is of any age: it is waited for where there is none. `renewed` is
 * for what `current` ones do not have.
 */
export type ListAge = 'known' | 'current' | 'renewed'

export interface GivenList {
  items: readonly Item[]
  /** False where the server may have more that it does not say now. */
  isWhole: boolean
}

/** The lists of servers, each asked for once for all who may see it. */
export interface FeatureLists {
  get(asking: Asking, server: FeatureServer, kind: ListKind, age: ListAge): Promise<GivenList>
  close(): void
}

export interface FeatureListsOptions {
  hub: { features: Pick<Hub['features'], 'ask' | 'onNotice'> }
  clock: Clock
}

const keptMs = 30_000
const maxAgeMs: Record<ListAge, number> = { known: Infinity, current: keptMs, renewed: 1_000 }
/** For how long a list is waited for, and for how long it may still come. */
const waitMs = 3_000
const giveUpMs = 10_000
/** One that took so long is not waited for, for a while: what it said last holds. */
const slowAfterMs = 1_000
const slowMs = 30_000

export function createFeatureLists({ hub, clock }: FeatureListsOptions): FeatureLists {
  const lists = createKeptLists()
  const close = hub.features.onNotice(({ notice, ...key }) => {
    for (const method of changedBy[notice.kind] ?? []) {
      const list = lists.peek(toName(key, method))
      if (list !== undefined) list.changes += 1
    }
  })

  const isSlow = ({ slowUntil }: KeptList) => slowUntil > clock.monotonic()

  function ageOf({ kept, changes, keptAfter }: KeptList): number {
    const isCurrent = kept !== undefined && changes === keptAfter
    return isCurrent ? clock.monotonic() - kept.at : Infinity
  }

  function renew(name: string, list: KeptList, ask: () => Promise<unknown[] | undefined>): void {
    if (list.underWay !== undefined || (list.hasFailed && isSlow(list))) return
    const since = clock.monotonic()
    const { changes } = list
    const done = ask()
      .then((items) => {
        list.hasFailed = items === undefined
        if (items === undefined) return
        list.keptAfter = changes
        lists.put(name, items, clock.monotonic())
      })
      .finally(() => {
        list.underWay = undefined
        const now = clock.monotonic()
        if (now - since > slowAfterMs) list.slowUntil = now + slowMs
      })
    list.underWay = { since, done }
    // Whoever waits for it is told; others look at what there is.
    done.catch(() => {
      list.hasFailed = true
    })
  }

  /** Undefined where it did not come, and may at another time. */
  async function askFor(
    { caller, request }: Asking,
    { server_id }: FeatureServer,
    { method, member }: ListKind,
  ): Promise<unknown[] | undefined> {
    const late = new AbortController()
    const cancel = clock.after(giveUpMs, () => late.abort())
    const asked = { ...request, method, params: {} }
    const exchange = toNobody(late.signal)
    const context = toCallContext(caller, asked, { exchange, holdMs: 0 })
    try {
      const outcome = await hub.features.ask(context, { server_id, method, params: {} })
      const items = outcome.status === 'ok' ? outcome.result[member] : []
      // What the server itself refuses it does not have.
      const isSaid = outcome.status === 'ok' || outcome.error.rpc !== undefined
      return isSaid ? (Array.isArray(items) ? items : []) : undefined
    } finally {
      cancel()
    }
  }

  async function inTime(list: KeptList, signal: AbortSignal): Promise<void> {
    if (list.underWay === undefined || isSlow(list)) return
    const { since, done } = list.underWay
    const leftMs = since + waitMs - clock.monotonic()
    if (leftMs <= 0 || signal.aborted) return
    const over = Promise.withResolvers<void>()
    const end = () => over.resolve()
    const cancel = clock.after(leftMs, end)
    signal.addEventListener('abort', end, { once: true })
    await Promise.race([done, over.promise]).finally(() => {
      cancel()
      signal.removeEventListener('abort', end)
    })
  }

  return {
    async get(asking, server, kind, age) {
      const name = toName(server, kind.method)
      const list = lists.get(name)
      const ageMs = ageOf(list)
      if (ageMs >= Math.min(maxAgeMs[age], keptMs)) {
        renew(name, list, () => askFor(asking, server, kind))
      }
      const isEnough = list.kept !== undefined && (age === 'known' || ageMs < maxAgeMs[age])
      if (!isEnough) await inTime(list, asking.exchange.signal)
      return { items: list.kept?.items ?? [], isWhole: list.kept !== undefined && !list.hasFailed }
    },
    close,
  }
}

const changedBy: Record<string, string[]> = {
  resources_changed: ['resources/list', 'resources/templates/list'],
  prompts_changed: ['prompts/list'],
}

type Place = Pick<FeatureServer, 'tenant_id' | 'server_id' | 'user_id'>

function toName({ tenant_id, server_id, user_id }: Place, method: string): string {
  return JSON.stringify([tenant_id, server_id, user_id, method])
}
