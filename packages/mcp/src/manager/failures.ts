import { isMcpError, McpError, retellError } from '../errors.ts'

interface Failure {
  server: string
  error: unknown
}

/**
 * Does `run` for all servers at once and waits for every one. What failed is then thrown together:
 * `mcp: refresh "a": …; "b": …`.
 */
export async function forEachServer<T extends { name: string }>(
  servers: readonly T[],
  what: string,
  run: (server: T) => Promise<void>,
): Promise<void> {
  const failures: Failure[] = []
  const runOne = async (server: T) => {
    await run(server).catch((error) => failures.push({ server: server.name, error }))
  }
  await Promise.all(servers.map(runOne))
  if (failures.length > 0) throw joined(what, failures)
}

function joined(what: string, failures: Failure[]): McpError {
  const told = failures.map(({ server, error }) => `"${server}": ${messageOf(error)}`)
  const message = `mcp: ${what} ${told.join('; ')}`
  const data = { servers: failures.map(({ server }) => server) }
  const [first] = failures
  if (failures.length === 1 && isMcpError(first?.error)) {
    return retellError(first.error, message, data)
  }
  const cause = new AggregateError(
    failures.map(({ error }) => error),
    message,
  )
  return new McpError({ kind: 'closed', code: 'upstream_failed', message, data, cause })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^mcp: /, '') : String(error)
}
