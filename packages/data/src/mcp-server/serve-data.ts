import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { systemClock } from '@dataagent/guard'
import type { Principal, Vault } from '@dataagent/hub'
import { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { EngineSource } from '../engines/index.ts'
import { createQueries } from '../queries/index.ts'
import { openKeptResults } from '../results/index.ts'
import { createSources, type Sources } from '../sources/index.ts'
import { createDataTools } from '../tools/index.ts'
import { callTool, type ToolCalls } from './call-tool.ts'
import { createMemoryStore } from './memory-store.ts'
import { createOutputFiles } from './output-files.ts'
import { startSweeps } from './sweeps.ts'

export interface ServeDataOptions {
  source: EngineSource
  /** What the source is called. */
  name: string
  /** Absolute; made for the first export. */
  outputFolder: string
  version: string
  /** Of charts. Default `en`. */
  language?: 'en' | 'zh' | undefined
  stdin: Readable
  /** Belongs to the protocol. */
  stdout: Writable
  log(line: string): void
  /** Ends it. */
  signal: AbortSignal
}

/** Whoever started the process, and nobody else. */
const principal: Principal = { tenant_id: 'local', user_id: 'local', role: 'platform_admin' }
const session_id = 'stdio'

/** Needs what outlives the process. */
const unoffered = 'save_question'

const minute = 60_000
/** How long queries and their rows are kept. */
const retentionMs = 60 * minute
const keptBytes = 512 * 1024 * 1024

/**
 * Serves the data tools over one source to the MCP client at the other end of `stdin` and `stdout`.
 * Resolves when that has gone or `signal` has aborted, and nothing of it is left: no process, no
 * kept rows. Rejects where it could not begin.
 */
export async function serveDataOverStdio(options: ServeDataOptions): Promise<void> {
  const { source, name, outputFolder, language = 'en', log } = options
  await using open = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'dataagent-data-'))
  open.defer(() => rm(folder, { recursive: true, force: true }))
  const store = createMemoryStore()
  const sources = open.use(createSources({ store, vault: openVault }))
  const results = open.use(await openKeptResults({ root: folder, maxTenantBytes: keptBytes }))
  const queries = createQueries({ store, sources, results, retentionMs })
  open.use(
    startSweeps({
      ...{ clock: systemClock, everyMs: minute, sweep: queries.sweep },
      onError: (error) => log(`Old results could not be removed: ${String(error)}`),
    }),
  )
  const description = 'What this server was started for.'
  const { source_id } = await sources.create(principal, { name, description, location: source })
  const files = createOutputFiles(outputFolder)
  const tools = createDataTools({ sources, queries, store, files }).filter(
    (tool) => tool.name !== unoffered,
  )
  const calls = { tools, queries, principal, session_id, outputFolder, language, log }
  const ending = new AbortController()
  const looking = look(sources, source_id, { log, signal: ending.signal })
  await serve(calls, options)
  ending.abort()
  await looking
}

/** Nothing is stored: what would be sealed does not leave this process. */
const openVault: Vault = {
  seal: async (text) => text,
  open: async (text) => text,
}

/** Until the client is gone, or the signal aborts. */
async function serve(calls: ToolCalls, options: ServeDataOptions): Promise<void> {
  const { stdin, stdout, signal, log } = options
  const ended = Promise.withResolvers<void>()
  const transport = new StdioServerTransport(stdin, stdout)
  const handle = serveStdio(() => createServer(calls, options), {
    transport,
    onerror: (error) => log(error.message),
  })
  const closed = transport.onclose
  transport.onclose = () => {
    closed?.()
    ended.resolve()
  }
  const stop = () => void handle.close().finally(ended.resolve)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  await ended.promise
  signal.removeEventListener('abort', stop)
}

function createServer(calls: ToolCalls, { name, version }: ServeDataOptions): Server {
  const server = new Server(
    { name: 'dataagent-data', title: `Data of ${name}`, version },
    { capabilities: { tools: {} }, instructions },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: calls.tools.map(({ name, title, description, inputSchema, annotations }) => ({
      ...{ name, description, annotations },
      ...(title !== undefined && { title }),
      inputSchema: inputSchema as { type: 'object' },
    })),
  }))
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callTool(calls, {
      ...{ name: params.name, args: params.arguments ?? {}, signal: mcpReq.signal },
    }),
  )
  return server
}

const instructions =
  'Answers questions about data. See describe_source for tables and columns, ask with run_sql, and ' +
  'cite the number of the query (q1, q2 …) for each figure. make_chart and export take that number.'

/** Tells at the start what would be found out at the first question. */
async function look(
  sources: Sources,
  source_id: string,
  { log, signal }: { log(line: string): void; signal: AbortSignal },
): Promise<void> {
  try {
    const found = await sources.check(principal, source_id, signal)
    log(`${found.name}: ${found.status_text ?? found.status}`)
    if (found.read_only === false) {
      log(
        'The role of the address may write. Nothing is written, but one that only reads is safer.',
      )
    }
  } catch (error) {
    if (!signal.aborted) log(error instanceof Error ? error.message : String(error))
  }
}
