import type { Clock } from '@dataagent/guard'
import type { ClientCapabilities } from '@modelcontextprotocol/client'
import { isMcpError, type McpError, timeoutError } from '../errors.ts'
import type { Hold } from '../hold.ts'
import { askingMethods } from '../protocol/asking.ts'
import { toParamHeaders } from '../protocol/param-headers.ts'
import type { Peer } from '../protocol/peer.ts'
import { withOthers } from '../protocol/questions.ts'
import { toToolResult } from '../protocol/results.ts'
import { toTimeoutMs } from '../protocol/timeout.ts'
import type { Transport } from '../transports/transport.ts'
import type {
  CallToolResult,
  RequestOptions,
  ServerIdentity,
  ServerQuestions,
  ToolDefinition,
} from './contract.ts'
import { assertComplete, sendInRounds } from './input-required.ts'
import { collectList, type ListSource, withoutUnnamed } from './lists.ts'
import { createToolHeaders } from './tool-headers.ts'

type Params = Record<string, unknown>

export interface CallsOptions {
  transport: Transport
  peer: Peer
  clock: Clock
  timeoutMs: number
  questions: ServerQuestions
  /** What a server is offered for a call that brings handlers of its own. */
  offerFor(questions: ServerQuestions): ClientCapabilities
  listLimits: ListSource['limits']
  hold: Hold
  /** Aborts when the client is closed or the server has gone, with why. */
  closing: AbortSignal
  server(): ServerIdentity | undefined
  /** Why nothing can be asked now. */
  fault(): McpError | undefined
  onWarning(text: string): void
}

/** A list of a server and what its items are. */
export interface ListKind {
  method: string
  /** The field of a page that holds its items. */
  key: string
  capability: 'tools' | 'resources' | 'prompts'
  /** What an item is, and the field that names it. */
  what: string
  field: string
}

/** The requests of a client, in whichever era. */
export interface Calls {
  /** The result as the server sent it. */
  request(method: string, params?: Params, options?: RequestOptions): Promise<unknown>
  /** The complete result: what the server asks on the way is answered. */
  ask(method: string, params?: Params, options?: AskOptions): Promise<unknown>
  notify(method: string, params?: Params): Promise<void>
  list<T>(kind: ListKind, options?: RequestOptions): Promise<T[]>
  listTools(options?: RequestOptions): Promise<ToolDefinition[]>
  callTool(name: string, args: Params, options?: RequestOptions): Promise<CallToolResult>
}

export interface AskOptions extends RequestOptions {
  headers?: Record<string, string> | undefined
}

const toolList: ListKind = {
  method: 'tools/list',
  key: 'tools',
  capability: 'tools',
  what: 'tool',
  field: 'name',
}
const headerMismatch = -32020

/** Creates the requests of a client whose server is known once it is connected. */
export function createCalls(options: CallsOptions): Calls {
  const { transport, peer, clock, hold, listLimits, questions, closing, server, onWarning } =
    options
  const headers = createToolHeaders(onWarning)

  return { request, ask, notify, list, listTools, callTool }

  function request(method: string, params?: Params, given?: AskOptions): Promise<unknown> {
    const fault = options.fault()
    if (fault !== undefined) return Promise.reject(fault)
    if (given?.questions === undefined) return peer.call(method, params, given)
    const capabilities = options.offerFor(given.questions)
    return peer.call(method, params, { ...given, capabilities })
  }

  function ask(method: string, params?: Params, given?: AskOptions): Promise<unknown> {
    if (server()?.era !== 'modern') return request(method, params, given)
    if (!askingMethods.has(method)) return askOnce(method, params, given)
    return askInRounds(method, params, given)
  }

  async function askInRounds(method: string, params?: Params, given?: AskOptions) {
    return await sendInRounds({
      method,
      timeoutMs: toTimeoutMs(given?.timeoutMs, options.timeoutMs),
      questions: withOthers(given?.questions, questions),
      signal: given?.signal,
      hold,
      closing,
      clock,
      onWarning,
      send: (extra, timeoutMs) =>
        request(method, extra === undefined ? params : { ...params, ...extra }, {
          ...given,
          timeoutMs,
        }),
    })
  }

  async function askOnce(method: string, params?: Params, given?: AskOptions): Promise<unknown> {
    const result = await request(method, params, given)
    assertComplete(method, result)
    return result
  }

  async function notify(method: string, params?: Params): Promise<void> {
    const fault = options.fault()
    if (fault !== undefined) throw fault
    hold.hold()
    try {
      await peer.send({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) })
    } finally {
      hold.release()
    }
  }

  /** A server that does not offer a kind of thing, and does not know its list, has none. */
  async function list<T>(kind: ListKind, given?: RequestOptions): Promise<T[]> {
    const { method, key, what, field } = kind
    const budget = createBudget(method, given)
    const page = async (params?: Params) => await ask(method, params, budget())
    try {
      const items = await collectList({ method, key, limits: listLimits, page, onWarning })
      return withoutUnnamed<T>(items, { what, field, onWarning })
    } catch (error) {
      const isOffered = server()?.capabilities[kind.capability] !== undefined
      if (!isOffered && isMcpError(error) && error.rpc?.code === -32601) return []
      throw error
    }
  }

  async function listTools(given?: RequestOptions): Promise<ToolDefinition[]> {
    const tools = await list<ToolDefinition>(toolList, given)
    return mirrorsArguments() ? headers.learn(tools) : tools
  }

  async function callTool(name: string, args: Params, given?: RequestOptions) {
    const params = { name, arguments: args }
    if (!mirrorsArguments()) return toToolResult(await ask('tools/call', params, given))
    const budget = createBudget('tools/call', given)
    const send = async () => {
      const mirrored = toParamHeaders(headers.of(name), args)
      return toToolResult(await ask('tools/call', params, { ...budget(), headers: mirrored }))
    }
    try {
      return await send()
    } catch (error) {
      if (!isMcpError(error) || error.rpc?.code !== headerMismatch) throw error
      await listTools({ signal: given?.signal, timeoutMs: budget().timeoutMs })
      return await send()
    }
  }

  /** For a call of several requests: gives each the time that is left of the whole. */
  function createBudget(method: string, given: RequestOptions = {}) {
    const timeoutMs = toTimeoutMs(given.timeoutMs, options.timeoutMs)
    const due = clock.monotonic() + timeoutMs
    return () => {
      const left = Math.round(due - clock.monotonic())
      if (left <= 0) throw timeoutError(`"${method}"`, timeoutMs, false)
      return { ...given, timeoutMs: left }
    }
  }

  function mirrorsArguments(): boolean {
    return transport.kind === 'http' && server()?.era === 'modern'
  }
}
