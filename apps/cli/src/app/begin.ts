import type { Resume } from '../args/index.ts'
import type { App } from './contract.ts'
import type { Notices } from './notices.ts'
import { words } from './words.ts'

export interface BeginOptions {
  app: App
  notices: Notices
  setLink(state: 'live' | 'lost'): void
  /** The platform has gone: what was under way is over. */
  onLost(): void
  command(line: string): Promise<void>
  /** Those of the agent that is talked with by then. */
  useFiles(): Promise<void>
}

/**
 * Once the platform is there: shows the session where one is named, and has the MCP servers of its
 * agent connect. Rejects where there is no platform.
 */
export async function begin(resume: Resume | undefined, options: BeginOptions): Promise<void> {
  const { app, notices, setLink } = options
  const link = await app.link().catch((error: unknown) => {
    setLink('lost')
    throw error
  })
  setLink('live')
  void link.lost.then((reason) => {
    if (app.signal.aborted) return
    setLink('lost')
    app.tell('bad', `${words.lost[app.lang]}: ${reason}`)
    app.tell('info', words.lostAdvice[app.lang])
    options.onLost()
  })
  if (resume !== undefined) await showFirst(resume, options).catch(notices.tellFailure)
  await options.useFiles()
}

async function showFirst(resume: Resume, { app, command }: BeginOptions): Promise<void> {
  if (resume.kind === 'session') return app.open(resume.session_id)
  if (resume.kind === 'choose') return command('/resume')
  const { client } = await app.link()
  const { sessions } = await client.sessions.list({ limit: 1 })
  const [last] = sessions
  if (last) await app.open(last.session_id)
}
