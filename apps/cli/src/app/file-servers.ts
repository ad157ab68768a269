import type { Link } from '../link/index.ts'
import type { FileServers } from '../mcp/index.ts'
import type { App } from './contract.ts'
import { messageOf } from './message-of.ts'
import { words } from './words.ts'

export interface AgentServersOptions {
  app(): App
  /** Their states may have changed. */
  onChange(): void
}

/** The MCP servers of the configuration files of the agent that is talked with. */
export interface AgentServers {
  /** Reads the files as they are now, and has the platform use what they say. */
  reload(): Promise<FileServers>
  /**
   * The same where those in use are another agent's; what is wrong is told. Never rejects. On a
   * platform elsewhere, which uses no files, that is said once.
   */
  follow(): Promise<void>
}

/** One after the other: of two agents that are chosen, the last one's are in use in the end. */
export function createAgentServers(options: AgentServersOptions): AgentServers {
  const { app } = options
  let last: Promise<unknown> = Promise.resolve()
  let usedOf: string | undefined

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  function reload(): Promise<FileServers> {
    usedOf = app().assistant_id
    return loadFiles(options)
  }

  async function follow(): Promise<void> {
    if (usedOf === app().assistant_id) return
    const { kind } = await app().link()
    if (kind === 'remote' && usedOf !== undefined) return
    await tellOfFiles(await reload(), { app: app(), kind })
  }

  return {
    reload: () => inTurn(reload),
    follow: () =>
      inTurn(follow).catch((error: unknown) => {
        if (!app().signal.aborted) app().tell('bad', messageOf(error))
      }),
  }
}

/**
 * A person is asked about the servers of a project. All connect behind the prompt: who fails is one
 * line [D29.5].
 */
async function loadFiles(options: AgentServersOptions): Promise<FileServers> {
  const app = options.app()
  const { theme, lang, assistant_id, folder, mcpFiles, machine, say: write } = app
  const link = await app.link()
  const { askAgreement, loadServers } = await import('../mcp/index.ts')
  const found = await loadServers({
    ...{ ...mcpFiles, link, assistant_id, folder, lang },
    // A line of a pipe agrees to nothing.
    ask: machine.isAttended
      ? (server) => askAgreement(server, { theme, lang, write, ask: app })
      : undefined,
  })
  options.onChange()
  if (link.kind === 'local') void connect(found, link, options)
  return found
}

async function connect(
  found: FileServers,
  link: Link,
  { app, onChange }: AgentServersOptions,
): Promise<void> {
  const { connectServers } = await import('../mcp/index.ts')
  const { lang, signal, tell } = app()
  const failures = await connectServers(found, { link, lang, signal })
  if (signal.aborted) return
  for (const line of failures) tell('warn', line)
  onChange()
}

/** What is wrong with a file or a server in it, a line each. */
async function tellOfFiles(
  found: FileServers,
  { app, kind }: { app: App; kind: Link['kind'] },
): Promise<void> {
  const { warningsOf } = await import('../mcp/index.ts')
  if (kind === 'local') for (const line of warningsOf(found, app.lang)) app.tell('warn', line)
  else if (found.servers.length > 0) app.tell('info', words.remoteNoFiles[app.lang])
}
