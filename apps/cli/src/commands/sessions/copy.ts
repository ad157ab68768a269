import type { App } from '../../app/index.ts'
import { formatCount } from '../view/format.ts'
import { cannotCopy, copied, noAnswer } from './words.ts'

const pageSize = 20

/** The last answer, to the clipboard of the person's machine. */
export async function runCopy(app: App): Promise<void> {
  const answer = await readLastAnswer(app)
  if (answer === undefined) return app.tell('info', noAnswer[app.lang])
  if (!app.screen.copy(answer)) return app.tell('warn', cannotCopy[app.lang])
  app.tell('good', copied(formatCount([...answer].length))[app.lang])
}

/** Messages are listed oldest first. */
async function readLastAnswer(app: App): Promise<string | undefined> {
  const { session, signal } = app
  if (session === undefined) return undefined
  const { client } = await app.link()
  const { session_id } = session
  const { total } = await client.sessions.messages(session_id, { limit: 1 }, { signal })
  const offset = Math.max(0, total - pageSize)
  const page = await client.sessions.messages(session_id, { limit: pageSize, offset }, { signal })
  return page.messages.findLast(({ role }) => role === 'assistant')?.content
}
