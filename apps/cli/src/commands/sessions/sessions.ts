import type { SessionInfo } from '@dataagent/schema'
import type { App, Choice } from '../../app/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import { formatAge } from '../view/format.ts'
import {
  chooseSession,
  isOpenAlready,
  moreSessions,
  noneFound,
  noSessions,
  openNow,
  statusNames,
  untitled,
} from './words.ts'

const pageSize = 30

/** A list of sessions, page by page; the one that is chosen is opened. */
export async function runSessions(text: string, app: App): Promise<void> {
  const { client } = await app.link()
  const query = text === '' ? {} : { q: text.slice(0, 200) }
  const { signal } = app
  for (let offset = 0; ; offset += pageSize) {
    const page = await client.sessions.list({ ...query, limit: pageSize, offset }, { signal })
    if (page.sessions.length === 0) {
      app.tell('info', (text === '' ? noSessions : noneFound(toPlainLine(text, 40)))[app.lang])
      return
    }
    const left = page.total - offset - page.sessions.length
    const chosen = await chooseOne(page.sessions, app, left)
    if (chosen !== 'more') return chosen && openSession(chosen, app)
  }
}

/** Undefined where the list was left, `more` for the next page. */
export async function chooseOne(
  sessions: readonly SessionInfo[],
  app: App,
  left = 0,
): Promise<SessionInfo | 'more' | undefined> {
  const items: Choice<SessionInfo | 'more'>[] = sessions.map((session) => toChoice(session, app))
  if (left > 0) items.push({ value: 'more', label: moreSessions(left)[app.lang] })
  return app.choose(chooseSession[app.lang], items)
}

export async function openSession({ session_id }: SessionInfo, app: App): Promise<void> {
  if (session_id !== app.session?.session_id) return app.open(session_id)
  app.tell('info', isOpenAlready[app.lang])
}

function toChoice(session: SessionInfo, app: App): Choice<SessionInfo> {
  const { session_id, title, status = 'idle', assistant_id, last_active } = session
  const about = [
    formatAge(last_active, Date.now(), app.lang),
    statusNames[status]?.[app.lang],
    toPlainLine(assistant_id, 20),
    session_id === app.session?.session_id ? openNow[app.lang] : undefined,
  ]
  return {
    value: session,
    label: titleOf(title, app),
    about: about.filter((part) => part !== undefined).join(' · '),
  }
}

function titleOf(title: string | undefined, app: App): string {
  const shown = toPlainLine(title ?? '', Math.max(16, app.screen.columns - 34))
  return shown === '' ? untitled[app.lang] : shown
}
