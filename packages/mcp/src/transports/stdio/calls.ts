import { cancelledError, McpError } from '../../errors.ts'
import { type BrokenAnswer, toBrokenError } from '../../rpc/broken-answer.ts'
import type { JsonRpcRequest, JsonRpcResponse, RequestId } from '../../rpc/messages.ts'
import { onceAborted } from '../shared/once-aborted.ts'
import { toText } from '../shared/to-text.ts'
import type { Letter, Outbox } from './outbox.ts'

/** The requests under way, each waiting for the answer with its id. */
export interface Calls {
  make(request: JsonRpcRequest, signal: AbortSignal | undefined): Promise<JsonRpcResponse>
  /** Gives an answer to the call it is for. One that nobody waits for is dropped. */
  settle(answer: JsonRpcResponse): void
  /** Fails the call that was answered so. */
  settleBroken(answer: BrokenAnswer): void
  /** Whether there was such a call. */
  fail(id: RequestId, error: McpError): boolean
  failAll(toError: (mayHaveRun: boolean) => McpError): void
  /** The ids of those that have been sent. */
  sentIds(): RequestId[]
}

interface Call extends Letter {
  readonly id: RequestId
  readonly method: string
  readonly resolve: (answer: JsonRpcResponse) => void
  readonly reject: (error: McpError) => void
  stopListening: (() => void) | undefined
}

/** Of so many calls given up the late answer is expected; that of an older one is warned of. */
const givenUpMax = 1024

export interface CallsNeeds {
  outbox: Outbox
  warn(text: string): void
  onLateAnswer(id: RequestId): void
}

export function createCalls({ outbox, warn, onLateAnswer }: CallsNeeds): Calls {
  const calls = new Map<RequestId, Call>()
  const givenUp = new Set<RequestId>()

  function take(id: RequestId): Call | undefined {
    const call = calls.get(id)
    if (call === undefined) return undefined
    calls.delete(id)
    call.stopListening?.()
    return call
  }

  function giveUp(call: Call, error: McpError): void {
    take(call.id)
    outbox.takeBack(call)
    if (call.sent) remember(givenUp, call.id)
    call.reject(error)
  }

  function takeStray(id: RequestId | null): void {
    if (id === null) {
      warn('the server answered with an error that names no request; it was skipped')
      return
    }
    onLateAnswer(id)
    if (givenUp.delete(id)) return
    warn(`the server answered request ${quoteId(id)}, for which nobody waits; it was skipped`)
  }

  return {
    make(request, signal) {
      return new Promise((resolve, reject) => {
        const { id, method } = request
        if (calls.has(id)) throw idInUse(id)
        const line = `${toText(request)}\n`
        const common = { id, method, line, resolve, reject }
        const call: Call = { ...common, sent: false, stopListening: undefined }
        calls.set(id, call)
        outbox.add(call)
        if (signal === undefined) return
        const cancel = () => giveUp(call, cancelledError(signal, call.sent))
        call.stopListening = onceAborted(signal, cancel)
      })
    },
    settle(answer) {
      const call = answer.id === null ? undefined : take(answer.id)
      if (call === undefined) takeStray(answer.id)
      else call.resolve(answer)
    },
    settleBroken(answer) {
      const call = take(answer.id)
      if (call === undefined) takeStray(answer.id)
      else call.reject(toBrokenError(answer, call.method))
    },
    fail(id, error) {
      const call = calls.get(id)
      if (call) giveUp(call, error)
      return call !== undefined
    },
    failAll(toError) {
      for (const call of calls.values()) giveUp(call, toError(call.sent))
    },
    sentIds: () => [...calls.values()].filter(({ sent }) => sent).map(({ id }) => id),
  }
}

function remember(ids: Set<RequestId>, id: RequestId): void {
  ids.add(id)
  for (const oldest of ids) {
    if (ids.size <= givenUpMax) return
    ids.delete(oldest)
  }
}

/** An id is the server's text: it may be long, and hold anything. */
function quoteId(id: RequestId): string {
  return JSON.stringify(typeof id === 'string' ? id.slice(0, 64) : id)
}

function idInUse(id: RequestId): McpError {
  const message = `mcp: a call with the id ${quoteId(id)} is under way`
  return new McpError({ kind: 'conflict', code: 'conflict', message })
}
