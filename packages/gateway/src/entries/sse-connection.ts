import { randomUUID } from 'node:crypto'
import {
  type Caller,
  invalidCredential,
  isLogLevel,
  type Message,
  parseIncoming,
  type Reply,
  type RpcRequest,
  rpcCodes,
  toErrorReply,
  toFaultReply,
  versionWithoutHeader,
} from '../protocol/index.ts'
import { toCapabilities } from './client-facts.ts'
import type { EventStream } from './event-stream.ts'
import type { LegacyClient, LegacyDesk } from './legacy-desk.ts'
import type { Listening, News } from './news.ts'
import { toTakenBackReply } from './request-watch.ts'
import type { Sealed } from './sealed.ts'
import type { Letter } from './sse-sessions.ts'
import type { ChangeUris, Subscribing } from './subscribing.ts'
import { toAnswerText } from './write-reply.ts'

export interface SseConnectionsOptions {
  desk: LegacyDesk
  news: News
  subscribing: Subscribing
  initialize(caller: Caller, request: RpcRequest): Promise<Reply>
  /** For credentials on their way to the process that holds the stream. */
  sealed: Sealed<{ shown: string }>
  /** What one is told who must be let in first: where a person does that. */
  invite(request: RpcRequest): Promise<Record<string, unknown>>
  onInternal(error: unknown, reference: string): void
}

interface ConnectionMeans {
  stream: EventStream
  /** Aborts when the client has gone, or was cut off. */
  signal: AbortSignal
  /** Whether a credential still opens the stream. */
  holds(shown: string | undefined): Promise<boolean>
  /** Whether one that did was taken back since. */
  isTakenBack(owner: Caller, shown: string | undefined): Promise<boolean>
  /** Ends what is under way: who asked for it may no longer. */
  cutOff(): void
  /** The one whose stream it is has come. */
  meet(owner: Caller): void
}

/** What a letter's credential is sealed for. */
export const letterBound = 'sse'
const storesAway = 'The stores are away. Try again in a moment.'

/** What comes in for an open stream, and is answered on it. */
export function createSseConnections(options: SseConnectionsOptions) {
  const { desk, news, subscribing, initialize, sealed } = options

  return function connect(
    opener: { caller: Caller; shown: string | undefined } | undefined,
    { stream, signal, holds, isTakenBack, cutOff, meet }: ConnectionMeans,
  ) {
    const scope = randomUUID()
    let owner = opener?.caller
    // The latest that was good: the one of the opening may have expired and been renewed since.
    let shown = opener?.shown
    let client: LegacyClient = {
      // All that comes for a stream comes to the process that holds it.
      ...{ scope, isShared: false, version: versionWithoutHeader },
      ...{ capabilities: {}, log_level: undefined },
    }
    let uris: readonly string[] = []
    let listening: Listening | undefined
    let underWay = 0
    let isStopping = false

    const wants = () => ({ tools: true, prompts: true, resources: true, uris })

    const say = (id: RpcRequest['id'] | null, reply: Reply) => stream.send(toAnswerText(id, reply))

    async function begin(caller: Caller, request: RpcRequest): Promise<Reply> {
      const reply = await initialize(caller, request)
      if (reply.kind !== 'result') return reply
      const version = String(reply.result.protocolVersion)
      client = { ...client, version, capabilities: toCapabilities(request.params?.capabilities) }
      if (signal.aborted) return reply
      listening ??= news.listen(caller, wants(), async (method, params) => {
        if (await holds(shown)) stream.send(JSON.stringify({ jsonrpc: '2.0', method, params }))
      })
      return reply
    }

    function remember({ method, params }: RpcRequest): void {
      if (method !== 'logging/setLevel' || !isLogLevel(params?.level)) return
      client = { ...client, log_level: params.level }
    }

    const changeUris: ChangeUris = async (update) => {
      uris = update(uris)
      listening?.change(wants())
    }

    async function answer(caller: Caller, request: RpcRequest): Promise<Reply> {
      if (request.method === 'initialize') return begin(caller, request)
      remember(request)
      const own = await subscribing.answer(caller, request, changeUris)
      return own ?? desk.serve(caller, request, client, { signal, send: stream.send })
    }

    /** Whatever happens is said: a client that hears nothing hangs. */
    async function sayWhat({ id }: RpcRequest, find: () => Promise<Reply>): Promise<void> {
      underWay += 1
      const reply = await find().catch((error: unknown) => toErrorReply(error, options.onInternal))
      say(id, toTakenBackReply(signal) ?? reply)
      underWay -= 1
      if (isStopping && underWay === 0) stream.end()
    }

    function hear(caller: Caller, message: Message): void {
      if (message.kind === 'request') {
        const { message: request } = message
        void sayWhat(request, () => answer(caller, request))
      }
      if (message.kind === 'notification') void desk.hear(caller, message.message, client)
      if (message.kind === 'answer') void desk.receive(caller, message.message, client)
      if (message.kind === 'broken') say(message.id, { kind: 'error', error: message.error })
    }

    function isTheirs({ caller, credential }: Letter): boolean {
      if (owner === undefined) return true
      if (caller === undefined) return credential === owner.credential
      if (caller.owner_key !== owner.owner_key || caller.group_id !== owner.group_id) return false
      return caller.group_made_at === owner.group_made_at
    }

    /** The ask of one who is not let in (any more): told on the stream, or its client hangs. */
    async function refuse(request: RpcRequest, isUnsure = false): Promise<Reply> {
      if (isUnsure) return toFaultReply(rpcCodes.internal, storesAway)
      const data = owner === undefined ? await options.invite(request) : undefined
      return toFaultReply(401, invalidCredential, data)
    }

    /** With a token that was renewed since: the next may show that one, expired. */
    function know(caller: Caller, letter: Letter): void {
      const isNew = owner === undefined
      owner = caller
      if (letter.sealed !== undefined) shown = sealed.open(letter.sealed, letterBound)?.shown
      if (isNew) meet(caller)
    }

    function read(text: string, caller: Caller | undefined, isUnsure: boolean | undefined): void {
      const incoming = parseIncoming(text)
      for (const message of incoming.batch ? incoming.messages : [incoming.message]) {
        if (caller) hear(caller, message)
        else if (message.kind === 'request') {
          const { message: request } = message
          void sayWhat(request, () => refuse(request, isUnsure))
        }
      }
    }

    /** Ends the stream once what was asked is answered. */
    function stop(): void {
      isStopping = true
      if (underWay === 0) stream.end()
    }

    return {
      isKnown: () => owner !== undefined,
      take(letter: Letter) {
        if (!isTheirs(letter)) return 'not_theirs'
        const { content, caller, isUnsure } = letter
        if (content.kind === 'knock') return 'accepted'
        // Which request it was nobody can tell, and its client waits for an answer.
        if (content.kind === 'too_large') stream.end()
        if (caller) know(caller, letter)
        if (content.kind === 'message') read(content.text, caller, isUnsure)
        return 'accepted'
      },
      stop,
      /** Whether the stream may go on; ends it where not. */
      async look() {
        const looked = shown
        if (owner === undefined || !(await isTakenBack(owner, looked))) return
        // What was shown meanwhile may be good.
        if (shown !== looked) return
        cutOff()
        stop()
      },
      end: () => listening?.end(),
    } as const
  }
}
