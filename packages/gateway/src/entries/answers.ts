import type { Clock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema/base'
import { type LimitVerdict, withinLimits } from '../limits/index.ts'
import type { PeerMessage, Peers } from '../peers/index.ts'
import { type RpcAnswer, RpcError } from '../protocol/index.ts'
import type { MayTell } from './under-way.ts'

/** A person may be asked: the answer takes its time. */
const waitMs = 600_000

export interface AnswersOptions {
  peers: Pick<Peers, 'name' | 'ask' | 'on'>
  clock: Clock
}

/** Questions to clients of the legacy era: requests of ours, answered by a message of theirs. */
export interface Answers {
  /**
   * Sends a request under an id of ours and waits for the answer. `scope` is the session that must
   * give it. Rejects with an RpcError, `timeout` or `cancelled`.
   */
  ask(
    question: { scope: string; method: string; params: Record<string, unknown> },
    means: { signal: AbortSignal; send(text: string): void },
  ): Promise<unknown>
  /**
   * An answer has come in for a session. To another process it goes where that may have asked, and
   * `mayTell` is given and says so. Gives what that said.
   */
  receive(scope: string, answer: RpcAnswer, mayTell?: MayTell): Promise<LimitVerdict>
}

const kind = 'answer'
/** Of an id of ours, the process that gave it. */
const ownerIn = /^([0-9a-f]{16})\.\d{1,15}$/

export function createAnswers({ peers, clock }: AnswersOptions): Answers {
  const open = new Map<string, { scope: string; settle(answer: RpcAnswer): void }>()
  let count = 0

  function take(scope: unknown, answer: RpcAnswer): void {
    const asked = open.get(String(answer.id))
    if (asked !== undefined && asked.scope === scope) asked.settle(answer)
  }

  peers.on(kind, ({ scope, answer }: PeerMessage) => take(scope, answer as RpcAnswer))

  return {
    ask({ scope, method, params }, { signal, send }) {
      count += 1
      const id = `${peers.name}.${count}`
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const cancel = clock.after(waitMs, () =>
        reject(new AppError('timeout', 'The client did not answer in time.')),
      )
      const leave = () => reject(new AppError('cancelled', 'The client has gone.'))
      signal.addEventListener('abort', leave, { once: true })
      const settle = ({ result, error }: RpcAnswer) =>
        error === undefined ? resolve(result) : reject(new RpcError(error))
      open.set(id, { scope, settle })
      if (signal.aborted) leave()
      else send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      return promise.finally(() => {
        cancel()
        signal.removeEventListener('abort', leave)
        open.delete(id)
      })
    },
    async receive(scope, answer, mayTell) {
      const owner = ownerIn.exec(String(answer.id))?.[1]
      if (owner === peers.name) take(scope, answer)
      if (owner === undefined || owner === peers.name || mayTell === undefined) return withinLimits
      const verdict = await mayTell()
      if (verdict.status === 'ok') void peers.ask(owner, { kind, scope, answer })
      return verdict
    },
  }
}
