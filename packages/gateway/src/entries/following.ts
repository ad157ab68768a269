import type { Clock } from '@dataagent/guard'

/** Whose a resource is; undefined where nobody has it. */
export type OwnerOf = (uri: string) => string | undefined

export interface FollowingOptions {
  /** Asked once for all URIs that come together. */
  ownersOf(): Promise<OwnerOf>
  subscribe(server_id: string, uri: string): Promise<() => Promise<void>>
  clock: Pick<Clock, 'after' | 'monotonic'>
}

/** The subscriptions of one listener. */
export interface Following {
  /** Subscribes to what is new among them, and ends what is no longer. */
  follow(uris: readonly string[]): void
  /** Whether the server was asked for the changes of a resource, and has agreed. */
  holds(server_id: string, uri: string): boolean
  /** What nobody took may be taken now: tried again, though the more seldom the oftener it was. */
  retry(): void
}

const firstWaitMs = 1_000
const longestWaitMs = 60_000
const nobody: OwnerOf = () => undefined

export function createFollowing({ ownersOf, subscribe, clock }: FollowingOptions): Following {
  let wanted: ReadonlySet<string> = new Set()
  const pending = new Set<string>()
  const failed = new Set<string>()
  const held = new Map<string, { server_id: string; end(): Promise<void> }>()
  /** Whether something has changed since those that are pending were begun. */
  let isStale = false
  let waitMs = 0
  let nextAt = -Infinity
  let cancel: (() => void) | undefined

  function begin(uris: readonly string[]): void {
    if (uris.length === 0) return
    for (const uri of uris) pending.add(uri)
    void run(uris)
  }

  async function run(uris: readonly string[]): Promise<void> {
    const ownerOf = await ownersOf().catch(() => nobody)
    const byServer = [...Map.groupBy(uris, ownerOf)]
    await Promise.all(byServer.map(([server_id, own]) => subscribeAll(server_id, own)))
    if (pending.size > 0) return
    if (failed.size === 0) forgive()
    else if (isStale) retry()
    isStale = false
  }

  /** One after the other: no server has all of them at once. */
  async function subscribeAll(
    server_id: string | undefined,
    uris: readonly string[],
  ): Promise<void> {
    for (const uri of uris) {
      const isTried = server_id !== undefined && wanted.has(uri)
      const end = isTried ? await subscribe(server_id, uri).catch(() => undefined) : undefined
      pending.delete(uri)
      if (!wanted.has(uri)) void end?.().catch(() => {})
      else if (end === undefined || server_id === undefined) failed.add(uri)
      else held.set(uri, { server_id, end })
    }
  }

  function retry(): void {
    if (pending.size > 0) isStale = true
    if (failed.size === 0 || cancel !== undefined) return
    const leftMs = nextAt - clock.monotonic()
    if (leftMs <= 0) tryAgain()
    else cancel = clock.after(leftMs, tryAgain)
  }

  function tryAgain(): void {
    cancel = undefined
    waitMs = Math.min(longestWaitMs, Math.max(firstWaitMs, waitMs * 2))
    nextAt = clock.monotonic() + waitMs
    const again = [...failed]
    failed.clear()
    begin(again)
  }

  function forgive(): void {
    cancel?.()
    cancel = undefined
    waitMs = 0
    nextAt = -Infinity
  }

  function drop(uri: string): void {
    void held
      .get(uri)
      ?.end()
      .catch(() => {})
    held.delete(uri)
  }

  return {
    follow(uris) {
      wanted = new Set(uris)
      for (const uri of held.keys()) if (!wanted.has(uri)) drop(uri)
      for (const uri of failed) if (!wanted.has(uri)) failed.delete(uri)
      if (failed.size === 0) forgive()
      const isKnown = (uri: string) => held.has(uri) || failed.has(uri) || pending.has(uri)
      begin([...wanted].filter((uri) => !isKnown(uri)))
    },
    holds: (server_id, uri) => held.get(uri)?.server_id === server_id,
    retry,
  }
}
