import { isClientError } from '@dataagent/client'
import type { App } from '../../app/index.ts'
import { formatTokens } from '../view/format.ts'
import { noSession } from '../words.ts'
import { busyNow, compacted, compacting, nothingToCompact } from './words.ts'

/** Has the platform summarise the session now. */
export async function runCompact(app: App): Promise<void> {
  const { session, lang, signal } = app
  if (session === undefined) return app.tell('info', noSession[lang])
  const { client } = await app.link()
  app.tell('info', compacting[lang])
  try {
    const answer = await client.sessions.compact(session.session_id, { signal })
    if (answer.status === 'nothing_to_do') return app.tell('info', nothingToCompact[lang])
    const { tokens_before, tokens_after } = answer
    app.tell('good', compacted(formatTokens(tokens_before), formatTokens(tokens_after))[lang])
  } catch (error) {
    // It would go on without us.
    if (signal.aborted) await client.chat.cancel(session.session_id)
    if (!isClientError(error, 'conflict')) throw error
    app.tell('warn', busyNow[lang])
  }
}
