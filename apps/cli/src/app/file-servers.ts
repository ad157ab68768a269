import type { Link } from '../link/index.ts'
import type { FileServers } from '../mcp/index.ts'
import type { App } from './contract.ts'
import { words } from './words.ts'

export interface FileServersOptions {
  app(): App
  /** Their states may have changed. */
  onChange(): void
}

/**
 * Has the platform use the MCP servers of the configuration files as they are now; a person is
 * asked about those of a project. They connect behind the prompt: who fails is one line [D29.5].
 */
export async function reloadFileServers(options: FileServersOptions): Promise<FileServers> {
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
  { app, onChange }: FileServersOptions,
): Promise<void> {
  const { connectServers } = await import('../mcp/index.ts')
  const { lang, signal, tell } = app()
  const failures = await connectServers(found, { link, lang, signal })
  if (signal.aborted) return
  for (const line of failures) tell('warn', line)
  onChange()
}

/** What is wrong with a file or a server in it, a line each. */
export async function tellOfFiles(found: FileServers, app: App): Promise<void> {
  const { kind } = await app.link()
  const { warningsOf } = await import('../mcp/index.ts')
  if (kind === 'local') for (const line of warningsOf(found, app.lang)) app.tell('warn', line)
  else if (found.servers.length > 0) app.tell('info', words.remoteNoFiles[app.lang])
}
