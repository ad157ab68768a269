import type { Clock } from '@dataagent/guard'
import type { TokenSession } from './contract.ts'

interface Asked {
  /** When the KV was asked, not when it answered: from then on it may be otherwise. */
  at: number
  answer: Promise<TokenSession | undefined>
  session: TokenSession | undefined
}

/** How long an answer of the KV is taken for what it holds. */
const knownMs = 1_000
const mostKnown = 10_000

/** What the KV said of sessions in the last second. */
export function createKnownSessions(clock: Pick<Clock, 'monotonic'>) {
  /** Oldest first. */
  const known = new Map<string, Asked>()

  function forgetOldest(): void {
    const [oldest] = known.keys()
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
  }

  return {
    /** The session as it was known last, however long ago. */
    last: (hash: string): TokenSession | undefined => known.get(hash)?.session,
    /** Those who ask at once share one question. */
    async ask(
      hash: string,
      question: () => Promise<TokenSession | undefined>,
    ): Promise<TokenSession | undefined> {
      const before = known.get(hash)
      if (before !== undefined && clock.monotonic() - before.at < knownMs) return before.answer
      const asked: Asked = { at: clock.monotonic(), answer: question(), session: before?.session }
      known.delete(hash)
      known.set(hash, asked)
      forgetOldest()
      const forget = () => known.get(hash) === asked && known.delete(hash)
      try {
        asked.session = await asked.answer
        if (asked.session === undefined) forget()
        return asked.session
      } catch (error) {
        forget()
        throw error
      }
    },
    forget: (hash: string): void => void known.delete(hash),
    forgetGrants(grant_ids: readonly string[]): void {
      const ended = new Set<string | null | undefined>(grant_ids)
      for (const [hash, { session }] of known) {
        if (session === undefined || ended.has(session.grant_id)) known.delete(hash)
      }
    },
    forgetAll: (): void => known.clear(),
  }
}
