import { isClientError } from '@dataagent/client'
import type { SessionInfo } from '@dataagent/schema'
import type { App } from '../../app/index.ts'
import type { Completion } from '../../input/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import { chooseOne, openSession, runSessions } from './sessions.ts'
import { noneFound, noOther, nothingLeft } from './words.ts'

/** As many as one page has. */
const recentMax = 200

/**
 * Goes on with the session that is meant; asks where it may be several. Where none is named and the
 * last turn of the one that is open failed, that is gone on with.
 */
export async function runResume(wanted: string, app: App): Promise<void> {
  if (wanted === '') return (await hasFailed(app)) ? resumeTurn(app) : runSessions('', app)
  const recent = await listRecent(app, app.signal)
  if (wanted === 'last') {
    const last = recent.find(({ session_id }) => session_id !== app.session?.session_id)
    if (last) return openSession(last, app)
    app.tell('info', noOther[app.lang])
    return
  }
  const fitting = findFitting(recent, wanted)
  const [only] = fitting
  if (only && fitting.length === 1) return openSession(only, app)
  if (only === undefined) return resumeOther(wanted, app)
  const chosen = await chooseOne(fitting, app)
  if (chosen !== undefined && chosen !== 'more') await openSession(chosen, app)
}

async function hasFailed({ session, signal, link }: App): Promise<boolean> {
  if (session === undefined) return false
  const { client } = await link()
  return (await client.sessions.get(session.session_id, { signal })).status === 'error'
}

async function resumeTurn(app: App): Promise<void> {
  try {
    await app.resumeTurn()
  } catch (error) {
    if (!isClientError(error, 'conflict')) throw error
    app.tell('warn', nothingLeft[app.lang])
  }
}

/** An id that is not among the recent ones may still be one. */
async function resumeOther(wanted: string, app: App): Promise<void> {
  const { client } = await app.link()
  const found = await client.sessions.get(wanted, { signal: app.signal }).catch(() => undefined)
  if (found) return openSession(found, app)
  app.tell('warn', noneFound(toPlainLine(wanted, 40))[app.lang])
}

export async function completeResume(
  words: string,
  app: App,
  signal: AbortSignal,
): Promise<Completion[]> {
  const recent = await listRecent(app, signal)
  return recent
    .filter(({ title = '' }) => startsWith(title, words))
    .slice(0, 20)
    .map(({ session_id, title = '' }) => ({
      value: session_id,
      label: toPlainLine(title, 40) || session_id,
    }))
}

async function listRecent(app: App, signal: AbortSignal): Promise<SessionInfo[]> {
  const { client } = await app.link()
  return (await client.sessions.list({ limit: recentMax }, { signal })).sessions
}

/** The id counts before titles, a whole title before its beginning. */
function findFitting(sessions: readonly SessionInfo[], wanted: string): SessionInfo[] {
  const byId = sessions.filter(({ session_id }) => session_id === wanted)
  if (byId.length > 0) return byId
  const whole = sessions.filter(({ title = '' }) => title.toLowerCase() === wanted.toLowerCase())
  if (whole.length > 0) return whole
  const byTitle = sessions.filter(({ title = '' }) => startsWith(title, wanted))
  if (byTitle.length > 0 || wanted.length < 4) return byTitle
  return sessions.filter(({ session_id }) => session_id.startsWith(wanted))
}

const startsWith = (title: string, words: string) =>
  title.toLowerCase().startsWith(words.toLowerCase())
