import { systemClock } from '@dataagent/guard'
import { backoffDelay } from '../backoff-delay.ts'
import { cancelledError, type McpError } from '../errors.ts'
import { createHold } from '../hold.ts'
import { createBackoff } from './backoff.ts'
import type { ConnectionEvent, ConnectionOptions, ConnectionState } from './contract.ts'
import { judgeOpening } from './judge-error.ts'
import type { Life } from './life.ts'
import { openLife } from './open-life.ts'
import { createOrderedEvents } from './ordered-events.ts'
import { stepError } from './step-error.ts'
import { type Happening, nextState } from './transitions.ts'
import { unreachableError } from './unreachable-error.ts'
import { createVerdictMemory } from './verdict-memory.ts'

/** One try to open the server. */
export interface Attempt {
  /** Settles when it has led to a life, or has failed and left nothing. */
  done: Promise<void>
  abort(): void
}

/** Carries out what the state machine decides: lives begin and end here, and nowhere else. */
export interface Keeper {
  readonly state: ConnectionState
  readonly life: Life | undefined
  /** The attempt that is under way, or a new one. Where it `isLast`, its failure closes. */
  tryNow(options: { isLast: boolean }): Attempt
  /** Settles when nothing is left. */
  close(): Promise<void>
}

const oneDayMs = 24 * 60 * 60 * 1000

/** Creates the keeper of one connection. */
export function createKeeper(options: ConnectionOptions): Keeper {
  const { name, clock = systemClock, random = Math.random, onEvent = () => undefined } = options
  const { healthEveryMs = 20_000, verdictMaxAgeMs: maxAgeMs = oneDayMs } = options
  const span = options.backoff ?? { firstMs: 250, maxMs: 60_000 }
  const emit = createOrderedEvents<ConnectionEvent>(onEvent)
  const backoff = createBackoff({ ...span, clock, random })
  const verdicts = createVerdictMemory({ remembered: options.remembered, maxAgeMs, clock })
  let state: ConnectionState = { status: 'connecting', attempt: 0 }
  let life: Life | undefined
  /** The end of the life before. */
  let retired: Promise<void> = Promise.resolve()
  let attempt: Attempt = { done: retired, abort: () => undefined }
  let isLastAttempt = false
  let cancelWait: (() => void) | undefined
  const hold = createHold()
  let isHeld = false

  return {
    get state() {
      return state
    },
    get life() {
      return life
    },
    tryNow({ isLast }) {
      if (state.status === 'closed') throw unreachableError(name, state)
      const isUnderWay = state.status === 'connecting' && state.attempt > 0
      if (!isUnderWay) happen({ kind: 'asked' })
      isLastAttempt ||= isLast
      return attempt
    },
    async close() {
      happen({ kind: 'closed' })
      attempt.abort()
      await attempt.done.catch(() => undefined)
      await retired
    },
  }

  function happen(happening: Happening): void {
    const next = nextState(state, happening, { clock, backoff })
    if (next === undefined) return
    const withdrawn = leave()
    state = next
    holdWhileTrying()
    const offered = enter(happening)
    emit(...withdrawn, { kind: 'state', state }, ...offered)
  }

  /** The timers of a clock hold no process, but who is on the way to `ready` is waited for. */
  function holdWhileTrying(): void {
    const isTrying = state.status === 'connecting' || state.status === 'backing_off'
    if (isTrying && !isHeld) hold.hold()
    if (!isTrying && isHeld) hold.release()
    isHeld = isTrying
    if (state.status === 'closed') hold.close()
  }

  function leave(): ConnectionEvent[] {
    cancelWait?.()
    if (life === undefined) return []
    retired = life.end()
    retired.catch((error) => onWarning(`the client could not be closed: ${String(error)}`))
    life = undefined
    return [{ kind: 'tools', tools: undefined }]
  }

  function enter(happening: Happening): ConnectionEvent[] {
    if (state.status === 'connecting') attempt = begin()
    if (state.status === 'backing_off') {
      cancelWait = clock.after(state.retryAt - clock.now(), () => happen({ kind: 'due' }))
    }
    if (happening.kind !== 'opened') return []
    life = happening.life
    const verdict = verdicts.learn(life.verdict)
    const tools: ConnectionEvent = { kind: 'tools', tools: [...life.tools] }
    return verdict === undefined ? [tools] : [{ kind: 'verdict', verdict }, tools]
  }

  function begin(): Attempt {
    isLastAttempt = false
    const controller = new AbortController()
    const done = open(controller.signal)
    // Who waits for the attempt is told of its failure; often nobody does.
    done.catch(() => undefined)
    return { done, abort: () => controller.abort() }
  }

  async function open(signal: AbortSignal): Promise<void> {
    try {
      const opened = await openNext(signal)
      if (signal.aborted || opened.loss !== undefined) {
        await opened.end()
        const error = opened.loss?.error ?? cancelledError(signal, false)
        throw stepError(error, { name, step: 'list tools' })
      }
      happen({ kind: 'opened', life: opened })
    } catch (failure) {
      if (state.status === 'closed') throw unreachableError(name, state)
      const error = failure as McpError
      happen(isLastAttempt ? { kind: 'closed' } : { kind: judgeOpening(error), error })
      throw error
    }
  }

  /** The life before has let go of everything before the next one begins. */
  async function openNext(signal: AbortSignal): Promise<Life> {
    await retired.catch(() => undefined)
    return await openLife({
      ...options,
      clock,
      healthEveryMs,
      remembered: verdicts.recall(),
      delayBefore: (n) => backoffDelay(n, span, random),
      signal,
      onNotice: (notice) => emit({ kind: 'notice', notice }),
      onWarning,
      onTools: (tools) => life && emit({ kind: 'tools', tools }),
      onLost: (loss) => life?.loss === loss && happen(loss),
    })
  }

  function onWarning(text: string): void {
    emit({ kind: 'warning', text })
  }
}
