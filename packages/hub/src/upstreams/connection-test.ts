import type { Clock } from '@dataagent/guard'
import { createConnection, isMcpError, type McpError, type Transport } from '@dataagent/mcp'
import { isPlainObject } from '@dataagent/schema'
import type { RegisteredServer } from '../servers/index.ts'
import type { ConnectionTest } from './contract.ts'
import { toFault, toWords } from './links/words.ts'
import { toConnect } from './open-link.ts'
import type { UpstreamsOptions } from './options.ts'

type Step = ConnectionTest['steps'][number]

interface TestMeans {
  options: UpstreamsOptions
  clock: Clock
  signal?: AbortSignal | undefined
}

const stepNames: readonly Step['name'][] = ['start', 'initialize', 'list tools', 'check schemas']
const logMax = 20

/** Opens a server, lists its tools, looks at them, and closes it again. Never rejects. */
export async function testConnection(
  server: RegisteredServer,
  { options, clock, signal }: TestMeans,
): Promise<ConnectionTest> {
  const log: string[] = []
  const { config, user_id } = server
  const times = createTimes(clock)
  const onStderr = (line: string) => void (log.push(line) > logMax && log.shift())
  const connect = toConnect(options, { server, user_id, config, onStderr })
  const connection = createConnection({
    ...connect,
    clock,
    healthEveryMs: 0,
    createTransport(way) {
      const transport = connect.createTransport(way)
      return transport && timed(transport, times)
    },
  })
  const told = () => (log.length > 0 ? { log } : {})
  try {
    await connection.open({ signal })
    const { tools, state } = connection
    const steps = [...times.steps(), checkSchemas(tools)]
    const ok = steps.every(({ status }) => status === 'ok')
    const { era, version } = state.status === 'ready' ? state.server : {}
    const protocol = era && version ? { protocol: { era, version } } : {}
    return { ok, steps, ...protocol, tool_count: tools.length, ...told() }
  } catch (error) {
    return { ok: false, steps: times.failed(error), ...told() }
  } finally {
    await connection.close().catch(() => undefined)
  }
}

type Times = ReturnType<typeof createTimes>

/** When which step began, as the transport shows it; the last attempt counts. */
function createTimes(clock: Clock) {
  const begun = new Map<Step['name'], number>([['start', clock.monotonic()]])
  return { begin, steps, failed }

  function begin(step: Step['name']): void {
    if (step === 'start') begun.clear()
    if (!begun.has(step)) begun.set(step, clock.monotonic())
  }

  function steps(): Step[] {
    return stepNames.slice(0, 3).map((name) => ({ name, status: 'ok', ms: msOf(name) }))
  }

  function failed(failure: unknown): Step[] {
    const error = isMcpError(failure) ? failure : undefined
    const at = Math.max(0, stepNames.indexOf(error?.data?.step as Step['name']))
    return stepNames.map((name, index) => {
      if (index > at) return { name, status: 'skipped', ms: 0 }
      if (index < at) return { name, status: 'ok', ms: msOf(name) }
      const fault = error ? toFault(error) : 'other'
      return { name, status: 'failed', ms: msOf(name), message: tell(error, failure), fault }
    })
  }

  function msOf(name: Step['name']): number {
    const from = begun.get(name)
    if (from === undefined) return 0
    const next = stepNames[stepNames.indexOf(name) + 1]
    const until = (next && begun.get(next)) ?? clock.monotonic()
    return Math.round(until - from)
  }
}

function tell(error: McpError | undefined, failure: unknown): string {
  return error ? toWords(error) : `It failed: ${String(failure)}`
}

function timed(transport: Transport, { begin }: Times): Transport {
  return {
    ...transport,
    async start(events, given) {
      begin('start')
      await transport.start(events, given)
      begin('initialize')
    },
    call(request, given) {
      if (request.method === 'tools/list') begin('list tools')
      return transport.call(request, given)
    },
  }
}

/** What cannot be right in any dialect; the rest is judged when a tool enters the catalogue. */
function checkSchemas(tools: readonly unknown[]): Step {
  const bad = tools.filter((tool) => !hasObjectSchema(tool)).map(nameOf)
  const step = { name: 'check schemas', ms: 0 } as const
  if (bad.length === 0) return { ...step, status: 'ok' }
  const message = `These tools have no input schema of type "object": ${bad.slice(0, 10).join(', ')}.`
  const told = `${message} Ask the server's author to fix them.`
  return { ...step, status: 'failed', message: told, fault: 'schemas' }
}

function hasObjectSchema(tool: unknown): boolean {
  if (!isPlainObject(tool) || !isPlainObject(tool.inputSchema)) return false
  return tool.inputSchema.type === 'object'
}

function nameOf(tool: unknown): string {
  return isPlainObject(tool) ? String(tool.name) : String(tool)
}
