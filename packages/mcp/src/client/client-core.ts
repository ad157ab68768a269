import { systemClock } from '@dataagent/guard'
import { closedError, closedHereError, McpError } from '../errors.ts'
import { createHold } from '../hold.ts'
import { createPeer, type Peer } from '../protocol/peer.ts'
import {
  toCallCapabilities,
  toCapabilities,
  withOthers,
  withRefusals,
} from '../protocol/questions.ts'
import { toTimeoutMs } from '../protocol/timeout.ts'
import { withinTime } from '../protocol/within-time.ts'
import { createWarnings } from '../rpc/warnings.ts'
import type { Era } from '../transports/transport.ts'
import { createAnswers } from './answers.ts'
import { type Calls, createCalls } from './calls.ts'
import { defaultClientInfo } from './client-info.ts'
import type { McpClientOptions, ServerIdentity, ServerQuestions } from './contract.ts'
import { createIncoming } from './incoming.ts'
import { createListening } from './listening.ts'
import { toListLimits } from './lists.ts'
import { type Agreement, negotiate } from './negotiate.ts'
import { createSubscriptions, type Subscriptions } from './subscriptions.ts'

/** How long a server may stay silent before `initialize` is sent as well. */
const pipePatienceMs = 2_000
/** The same over HTTP, where a server seldom does: at most, and at most half of the timeout. */
const httpPatienceMs = 3_000

export interface ConnectOptions {
  era?: Era | undefined
  signal?: AbortSignal | undefined
  patienceMs?: number | undefined
}

/** What a client is made of: one way to a server, from opening to end, and the calls over it. */
export interface ClientCore {
  readonly server: ServerIdentity | undefined
  readonly calls: Calls
  readonly peer: Peer
  readonly subscriptions: Subscriptions
  connect(options?: ConnectOptions): Promise<Agreement>
  close(): Promise<void>
}

/** Creates the core of a client over `options.transport`; nothing is sent yet. */
export function createClientCore(options: McpClientOptions): ClientCore {
  const { transport, clock = systemClock, offers } = options
  const { clientInfo = defaultClientInfo } = options
  const own = options.questions ?? {}
  const questions = withRefusals(own, offers)
  const listLimits = toListLimits(options.listLimits)
  const onNotice = options.onNotice ?? (() => undefined)
  const onWarning = options.onWarning ?? (() => undefined)
  const timeoutMs = toTimeoutMs(options.timeoutMs)
  const hold = createHold()
  const ending = new AbortController()
  const closing = ending.signal
  let state: 'new' | 'connecting' | 'open' | 'gone' | 'closed' = 'new'
  let server: ServerIdentity | undefined

  const shared = { transport, clock, timeoutMs, questions, hold, closing, onNotice, onWarning }
  const peer = createPeer(shared)
  const serverOf = () => server
  // A server may ask as often as it likes.
  const onRefused = createWarnings({ onWarning, clock })
  const answers = createAnswers({ ...shared, peer, onWarning: onRefused })
  const listening = createListening({ ...shared, peer })
  const offerFor = (given: ServerQuestions) => toCallCapabilities(withOthers(given, own), offers)
  const calls = createCalls({ ...shared, peer, listLimits, offerFor, server: serverOf, fault })
  const onMessage = createIncoming({ ...shared, peer, answers, listening, server: serverOf })
  const subscriptions = createSubscriptions({
    async add(uri, ms) {
      if (server?.era === 'modern') return await listening.addResource(uri, ms)
      await calls.ask('resources/subscribe', { uri }, { timeoutMs: ms })
    },
    async remove(uri) {
      if (server?.era === 'modern') return listening.removeResource(uri)
      await calls.ask('resources/unsubscribe', { uri })
    },
  })

  return {
    get server() {
      return server
    },
    calls,
    peer,
    subscriptions,
    connect,
    close,
  }

  async function connect(given: ConnectOptions = {}): Promise<Agreement> {
    if (state !== 'new') throw closedHereError('a client connects only once')
    state = 'connecting'
    try {
      const limit = { what: 'the server', ms: timeoutMs, clock, signal: given.signal }
      const agreement = await withinTime(limit, (signal) => open(given, signal))
      if (options.onNotice && server?.era === 'modern') listening.followLists(server.capabilities)
      return agreement
    } catch (error) {
      await close()
      throw error
    }
  }

  async function open(given: ConnectOptions, signal: AbortSignal): Promise<Agreement> {
    const usualMs =
      transport.kind === 'http' ? Math.min(httpPatienceMs, timeoutMs / 2) : pipePatienceMs
    const { era, patienceMs = usualMs } = given
    const { answeredLate: onLateAnswer } = peer
    await transport.start({ onMessage, onClose, onWarning, onLateAnswer }, { signal })
    const capabilities = toCapabilities(own, offers)
    const introduction = { capabilities, clientInfo }
    const agreement = await negotiate({
      ...{ transport, peer, introduction, clock },
      ...{ signal, era, patienceMs },
    })
    signal.throwIfAborted()
    if (state !== 'connecting') throw closedHereError('the client was closed')
    state = 'open'
    server = agreement.identity
    return agreement
  }

  /** While it is being opened, `connect` tells of it. */
  function onClose(error: McpError): void {
    if (state === 'closed') return
    const wasOpen = state === 'open'
    state = 'gone'
    end(closedError('the server has gone', true, error))
    hold.close()
    if (wasOpen) options.onClose?.(error)
  }

  async function close(): Promise<void> {
    state = 'closed'
    hold.hold()
    end(closedHereError('the client was closed', true))
    try {
      await transport.close()
    } finally {
      hold.close()
    }
  }

  /** Of a server that has gone the transport tells best. */
  function fault(): McpError | undefined {
    if (state === 'closed') return closedHereError('the client is closed')
    if (server !== undefined) return undefined
    const message = 'mcp: the client is not connected: call connect() first'
    return new McpError({ kind: 'unavailable', code: 'unavailable', message })
  }

  /** What waits for something else than the transport ends with `reason`. */
  function end(reason: McpError): void {
    ending.abort(reason)
    answers.close()
    peer.close()
  }
}
