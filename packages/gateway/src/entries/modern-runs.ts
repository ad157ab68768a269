import { randomBytes } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import { AppError, isPlainObject } from '@dataagent/schema/base'
import { type Exchange, type Reply, RpcError } from '../protocol/index.ts'
import { createOpenCounts } from './open-counts.ts'

/** Where what is told during a turn goes. */
export interface TurnWay {
  signal: AbortSignal
  send(text: string, what?: 'notice'): void
}

/** How a turn of a call ended: with its answer, or with questions to the client. */
export type TurnEnd =
  | { kind: 'reply'; reply: Reply }
  | { kind: 'asks'; run_id: string; round: number; inputRequests: InputRequests }

export type InputRequests = Record<string, { method: string; params: Record<string, unknown> }>

interface Question {
  method: string
  params: Record<string, unknown>
  settle(response: unknown): void
  fail(error: unknown): void
}

interface Run {
  run_id: string
  /** What the client answered before it was asked. */
  given: Record<string, unknown>
  bound: () => string
  quota_key: string
  /** Ends its count among those that wait. */
  leave(): void
  round: number
  questions: Map<string, Question>
  way: TurnWay | undefined
  controller: AbortController
  turn: PromiseWithResolvers<TurnEnd>
  /** Set when the call is over, how it ended. */
  ended: Promise<TurnEnd> | undefined
  /** Ends the wait for a client that does not come back. */
  cancelWait(): void
}

const waitMs = 600_000
const maxWaiting = 1_000
/** Of one key or person. */
const maxOwn = 50

export interface ModernRuns {
  /** Begins a call; `bound` says who asks for what, `quota_key` whose it counts as. */
  begin(
    call: { bound: () => string; quota_key: string; inputResponses: unknown },
    way: TurnWay,
    run: (parts: RunParts) => Promise<Reply>,
  ): Promise<TurnEnd>
  /**
   * Goes on with one that asked; undefined where there is none that this answers. One that ended
   * meanwhile is told how, once.
   */
  resume(
    answered: { run_id: string; bound: string; round: number; inputResponses: unknown },
    way: TurnWay,
  ): Promise<TurnEnd> | undefined
  close(): void
}

export type RunParts = Pick<Exchange, 'signal' | 'notify' | 'ask'>

/**
 * Calls of the modern era. One that asks answers its request with the questions and waits here
 * until the client sends the request again with the answers.
 */
export function createModernRuns({ clock }: { clock: Clock }): ModernRuns {
  const waiting = new Map<string, Run>()
  const own = createOpenCounts(maxOwn)

  function makeRun(
    { bound, quota_key, inputResponses }: Parameters<ModernRuns['begin']>[0],
    way: TurnWay,
  ): Run {
    return {
      ...{ run_id: '', given: toResponses(inputResponses), bound, round: 0 },
      ...{ quota_key, leave() {} },
      ...{ questions: new Map(), way, ended: undefined },
      ...{ controller: new AbortController(), turn: Promise.withResolvers(), cancelWait() {} },
    }
  }

  function toParts(run: Run): RunParts {
    const { signal } = run.controller
    return {
      signal,
      notify: (method, params) =>
        run.way?.send(JSON.stringify({ jsonrpc: '2.0', method, params }), 'notice'),
      ask: (method, params, { signal: asking, key }) => {
        const { promise, resolve: settle, reject: fail } = Promise.withResolvers<unknown>()
        const leave = () => fail(new AppError('cancelled', 'The client has gone.'))
        const both = AbortSignal.any([signal, asking])
        both.addEventListener('abort', leave, { once: true })
        if (both.aborted) leave()
        else put(run, key, { method, params, settle, fail })
        return promise.finally(() => both.removeEventListener('abort', leave))
      },
    }
  }

  function put(run: Run, key: string | undefined, question: Question): void {
    const name = key !== undefined && !run.questions.has(key) ? key : nextKey(run)
    if (key !== undefined && settleBy(run.given, key, question)) return void delete run.given[key]
    run.questions.set(name, question)
    if (run.questions.size === 1) setImmediate(() => park(run))
  }

  /** The questions that came together go out together. */
  function park(run: Run): void {
    if (run.questions.size === 0 || run.controller.signal.aborted || run.ended) return
    if (run.run_id === '') {
      const leave = waiting.size < maxWaiting ? own.enter(run.quota_key) : undefined
      if (leave === undefined) return void failAll(run, busy())
      run.leave = leave
      run.run_id = randomBytes(16).toString('base64url')
    }
    run.round += 1
    run.way = undefined
    waiting.set(run.run_id, run)
    run.cancelWait = clock.after(waitMs, () => giveUp(run))
    const { run_id, round } = run
    run.turn.resolve({ kind: 'asks', run_id, round, inputRequests: toInputRequests(run) })
  }

  function giveUp(run: Run): void {
    waiting.delete(run.run_id)
    run.leave()
    failAll(run, new AppError('timeout', 'The client did not answer in time.'))
    run.controller.abort()
  }

  /** A server may go on without the answer: how the call ended waits for its client, too. */
  function end(run: Run, ended: Promise<TurnEnd>): void {
    run.ended = ended
    if (waiting.has(run.run_id)) return
    run.leave()
    run.turn.resolve(ended)
  }

  /** The call ends with the client that waits for it, and not between two turns. */
  async function during(run: Run, way: TurnWay): Promise<TurnEnd> {
    const leave = () => run.way === way && run.controller.abort()
    way.signal.addEventListener('abort', leave, { once: true })
    if (way.signal.aborted) leave()
    try {
      return await run.turn.promise
    } finally {
      way.signal.removeEventListener('abort', leave)
    }
  }

  return {
    begin(call, way, start) {
      const run = makeRun(call, way)
      const ended = start(toParts(run)).then((reply): TurnEnd => ({ kind: 'reply', reply }))
      const isOver = () => end(run, ended)
      void ended.then(isOver, isOver)
      return during(run, way)
    },
    resume({ run_id, bound, round, inputResponses }, way) {
      const run = waiting.get(run_id)
      if (run === undefined || run.bound() !== bound || run.round !== round) return undefined
      waiting.delete(run_id)
      run.cancelWait()
      if (run.ended !== undefined) {
        run.leave()
        return run.ended
      }
      run.way = way
      run.turn = Promise.withResolvers()
      const ended = during(run, way)
      if (!answer(run, inputResponses)) park(run)
      return ended
    },
    close() {
      for (const run of [...waiting.values()]) giveUp(run)
    },
  }
}

/** Gives whether the call goes on: what was not answered is asked again. */
function answer(run: Run, inputResponses: unknown): boolean {
  const responses = toResponses(inputResponses)
  for (const [key, question] of run.questions) {
    if (settleBy(responses, key, question)) run.questions.delete(key)
  }
  return run.questions.size === 0
}

function toResponses(inputResponses: unknown): Record<string, unknown> {
  return isPlainObject(inputResponses) ? { ...inputResponses } : {}
}

/** Gives whether there is an answer to the question. */
function settleBy(responses: Record<string, unknown>, key: string, question: Question): boolean {
  const response = Object.hasOwn(responses, key) ? responses[key] : undefined
  if (!isPlainObject(response)) return false
  const { error } = response
  if (isFault(error)) question.fail(new RpcError(error))
  else question.settle(response)
  return true
}

function isFault(value: unknown): value is { code: number; message: string } {
  return isPlainObject(value) && typeof value.code === 'number' && typeof value.message === 'string'
}

function failAll({ questions }: Run, error: AppError): void {
  for (const { fail } of questions.values()) fail(error)
  questions.clear()
}

function busy(): AppError {
  return new AppError('rate_limited', 'Too many calls wait for their clients to answer.')
}

function toInputRequests({ questions }: Run): InputRequests {
  const entries = [...questions].map(([key, { method, params }]) => [key, { method, params }])
  return Object.fromEntries(entries)
}

function nextKey({ questions, round }: Run): string {
  return `question_${round + 1}_${questions.size + 1}`
}
