import { fault } from './fault.ts'
import { type Message, parseMessage } from './messages.ts'

type Result = Record<string, unknown>

/** What comes from the server, and who waits for it. */
export interface Inbox {
  /**
   * One message as text. What Dify cannot read ends the session. Gives whether it was an answer.
   */
  receive(text: string): boolean
  /** An HTTP error: it is taken as the answer to the latest request, whoever it was for. */
  refuse(error: Error): void
  /** Nothing will be read any more. */
  spoil(error: Error): void
  /** Why no answer will come, for the report of a hang. */
  blame(reason: string): void
  /** The answer. Rejects as Dify fails, and with `hangs` after a while. */
  wait(id: number): Promise<Result>
}

export interface InboxOptions {
  hangMs: number
  /** A request of the server. What it throws ends the session. */
  onRequest(request: Message & { kind: 'request' }): void
}

export function createInbox({ hangMs, onRequest }: InboxOptions): Inbox {
  const waiting = new Map<string | number, PromiseWithResolvers<Result>>()
  const reasons: string[] = []
  let latest = -1
  let spoilt: Error | undefined

  function spoil(error: Error): void {
    spoilt ??= error
    for (const { reject } of waiting.values()) reject(spoilt)
  }

  function handle(message: Message): boolean {
    if (message.kind === 'request') onRequest(message)
    if (message.kind === 'request' || message.kind === 'notification') return false
    const waiter = waiting.get(message.id)
    if (!waiter) throw fault('invalid', `Nothing was asked with the id ${message.id}`)
    if (message.kind === 'result') waiter.resolve(message.result)
    else waiter.reject(toError(message))
    return true
  }

  async function wait(id: number): Promise<Result> {
    if (spoilt) throw spoilt
    latest = id
    const waiter = Promise.withResolvers<Result>()
    waiting.set(id, waiter)
    const report = () => waiter.reject(fault('hangs', ['Dify hangs here', ...reasons].join('; ')))
    const timer = setTimeout(report, hangMs)
    return waiter.promise.finally(() => {
      clearTimeout(timer)
      waiting.delete(id)
    })
  }

  return {
    receive(text) {
      if (spoilt) return false
      try {
        return handle(parseMessage(text))
      } catch (error) {
        spoil(error as Error)
        return false
      }
    },
    refuse(error) {
      const waiter = waiting.get(latest)
      if (waiter) waiter.reject(error)
      else spoil(error)
    },
    spoil,
    blame: (reason) => void reasons.push(reason),
    wait,
  }
}

function toError({ code, message }: Message & { kind: 'error' }): Error {
  if (code === 401) return fault('authentication', `Authentication failed: ${message}`, { code })
  return fault('connection', `Failed to connect: code=${code} message=${message}`, { code })
}
