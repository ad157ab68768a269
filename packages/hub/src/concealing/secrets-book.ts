import type { Clock, Masker } from '@dataagent/guard'
import type { ServerConfig } from '@dataagent/schema'
import { createPause } from '../pause.ts'
import { platformTenant } from '../servers/index.ts'
import { concealIn, concealInPieces } from './conceal-in.ts'
import { credentialsOf } from './credentials.ts'
import { looksMade } from './looks-made.ts'
import { createNeedles, type Needles } from './needles.ts'

/** A way out: a server, and whose credentials calls go out with; null is the server's own. */
export interface WayOut {
  tenant_id: string
  server_id: string
  user_id: string | null
}

/** The credentials that this process goes out with, by way out. */
export interface SecretsBook {
  /** What the way out uses from now on; undefined for nothing any more. */
  learn(way: WayOut, config: ServerConfig | undefined): void
  /** The server is there no more. */
  forget(server: Omit<WayOut, 'user_id'>): void
  /**
   * What came back on this way, without the credentials of this very way. Those of others are not
   * looked for: what one user chose as a password must change no answer to another.
   */
  conceal<T>(way: WayOut, said: T): T
  /** The same for what may be large, in pieces between which other work goes on. */
  concealLarge<T>(way: WayOut, said: T): Promise<T>
}

export interface SecretsBookOptions {
  /** That of the operator's logs. */
  masker?: Pick<Masker, 'addValue' | 'removeValue'> | undefined
  clock: Clock
  /** What is no longer used is looked for that long: calls may still be under way. */
  keepMs?: number
}

interface Page {
  credentials: readonly string[]
  /** Those that are taken out of the operator's logs too, whatever line they are in. */
  masked: readonly string[]
  needles: Needles | undefined
  /** From the time before, as long as calls with them may be under way. */
  old: Set<Needles>
}

/** Keeps answers free of the credentials that they were asked for with. */
export function createSecretsBook({
  masker,
  clock,
  keepMs = 120_000,
}: SecretsBookOptions): SecretsBook {
  const pages = new Map<string, Map<string, Page>>()

  function learn(
    { tenant_id, server_id, user_id }: WayOut,
    config: ServerConfig | undefined,
  ): void {
    const credentials = config ? credentialsOf(config) : []
    const key = toKey({ tenant_id, server_id })
    const ofServer = pages.get(key) ?? new Map<string, Page>()
    const before = ofServer.get(user_id ?? '')
    if (isSame(before?.credentials ?? [], credentials)) return
    // A tenant chooses what it sends: a word of others' must not go from the lines of all.
    const masked = tenant_id === platformTenant ? credentials : credentials.filter(looksMade)
    const old = before?.old ?? new Set()
    const page = { credentials, masked, needles: createNeedles(credentials), old }
    for (const credential of masked) masker?.addValue(credential)
    if (before) forgetLater(before, page)
    pages.set(key, ofServer.set(user_id ?? '', page))
  }

  function forgetLater({ needles, masked }: Page, page: Page): void {
    if (needles) page.old.add(needles)
    clock.after(keepMs, () => {
      if (needles) page.old.delete(needles)
      for (const credential of masked) masker?.removeValue(credential)
    })
  }

  return {
    learn,
    forget(server) {
      const ofServer = pages.get(toKey(server))
      if (ofServer === undefined) return
      clock.after(keepMs, () => {
        if (pages.get(toKey(server)) === ofServer) pages.delete(toKey(server))
      })
      for (const user of ofServer.keys()) learn({ ...server, user_id: user || null }, undefined)
    },
    conceal: (way, said) =>
      needlesOf(way).reduce((rest, needles) => concealIn(needles, rest), said),
    async concealLarge(way, said) {
      const pause = createPause(clock)
      let rest = said
      for (const needles of needlesOf(way)) rest = await concealInPieces(needles, rest, pause)
      return rest
    },
  }

  function needlesOf({ user_id, ...server }: WayOut): Needles[] {
    const page = pages.get(toKey(server))?.get(user_id ?? '')
    return page ? [...(page.needles ? [page.needles] : []), ...page.old] : []
  }
}

function isSame(before: readonly string[], now: readonly string[]): boolean {
  return before.length === now.length && before.every((text, index) => text === now[index])
}

function toKey({ tenant_id, server_id }: Omit<WayOut, 'user_id'>): string {
  return `${tenant_id}\n${server_id}`
}
