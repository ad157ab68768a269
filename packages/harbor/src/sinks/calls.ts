import { type Clock, type Egress, wait } from '@dataagent/guard'
import { isAppError } from '@dataagent/schema'

/**
 * A request that was not answered well. Its message has the method, the path and the status:
 * neither what was sent nor what came back, for a service may say a key again.
 */
export class Fault extends Error {
  override readonly name = 'Fault'
  /** 0 where no answer came. */
  readonly status: number

  constructor(message: string, { status, cause }: { status: number; cause?: unknown }) {
    super(message, { cause })
    this.status = status
  }
}

export interface CallsOptions {
  /** What the service is called in messages. */
  name: string
  egress: Egress
  clock: Clock
  requestMs: number
  pausesMs: readonly number[]
  /** Ends what is under way, and lets nothing begin. */
  signal: AbortSignal
}

/** Requests to one service: sent again where that may help. Rejects with a `Fault`. */
export interface Calls {
  send(url: URL, init: RequestInit): Promise<Response>
}

const passing = new Set([0, 408, 425, 429, 500, 502, 503, 504])

export function createCalls(options: CallsOptions): Calls {
  const { name, egress, clock, requestMs, pausesMs, signal } = options
  const request = egress.createFetch({ timeoutMs: requestMs, headersTimeoutMs: requestMs, signal })

  async function attempt(url: URL, init: RequestInit): Promise<Response> {
    const what = `${init.method ?? 'GET'} ${toPattern(url.pathname)}`
    const answer = await request(url, init).catch((cause: unknown) => {
      const reason = isAppError(cause) ? cause.message : `${what} was ended`
      throw new Fault(`${name}: ${reason}`, { status: 0, cause })
    })
    if (answer.ok) return answer
    await answer.body?.cancel()
    const { status } = answer
    throw new Fault(`${name}: ${what} was answered with ${status}${hints[status] ?? ''}`, {
      status,
    })
  }

  return {
    async send(url, init) {
      for (const pauseMs of pausesMs) {
        try {
          return await attempt(url, init)
        } catch (error) {
          if (signal.aborted || !(error instanceof Fault) || !passing.has(error.status)) throw error
          await wait(clock, pauseMs, signal)
        }
      }
      return attempt(url, init)
    },
  }
}

const hints: Record<number, string> = {
  401: '. Is its key right?',
  403: '. May its key do that, and is it of this workspace?',
  404: '. Is its address right?',
}

/** Ids are of no use in a message, and would make each of them another one. */
function toPattern(path: string): string {
  return path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}')
}
