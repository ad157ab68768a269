import type { Clock } from '@dataagent/guard'
import type { McpError } from '../errors.ts'
import type { Backoff } from './backoff.ts'
import type { ConnectionState } from './contract.ts'
import type { Life } from './life.ts'

/** What can happen to a connection, from within or from without. */
export type Happening =
  /** An attempt led to a client and its list of tools. */
  | { kind: 'opened'; life: Life }
  /** The server has gone, or was not reached; it may come back. */
  | { kind: 'lost'; error: McpError }
  /** The server is there and has forgotten us. */
  | { kind: 'session_lost'; error: McpError }
  | { kind: 'sign_in'; error: McpError }
  /** The same attempt would fail the same way again. */
  | { kind: 'refused'; error: McpError }
  /** The wait before the next attempt is over. */
  | { kind: 'due' }
  /** The host wants an attempt now. Not to be told while one is under way. */
  | { kind: 'asked' }
  | { kind: 'closed' }

interface Means {
  clock: Clock
  backoff: Backoff
}

interface Transition<H> {
  from: readonly ConnectionState['status'][]
  to: (happening: H, means: Means) => ConnectionState
}

/** The whole state machine. What happens in a state that is not listed changes nothing. */
const transitions: {
  [K in Happening['kind']]: Transition<Extract<Happening, { kind: K }>>
} = {
  opened: { from: ['connecting'], to: ready },
  lost: { from: ['connecting', 'ready'], to: backingOff },
  session_lost: { from: ['ready'], to: connectingAtOnce },
  sign_in: { from: ['connecting', 'ready'], to: needsSignIn },
  refused: { from: ['connecting'], to: ({ error }) => ({ status: 'failed', error }) },
  due: { from: ['backing_off'], to: connecting },
  asked: {
    from: ['connecting', 'ready', 'backing_off', 'needs_sign_in', 'failed'],
    to: connectingAnew,
  },
  closed: {
    from: ['connecting', 'ready', 'backing_off', 'needs_sign_in', 'failed'],
    to: () => ({ status: 'closed' }),
  },
}

/** The state that `happening` leads to; `undefined` where it changes nothing. */
export function nextState(
  state: ConnectionState,
  happening: Happening,
  means: Means,
): ConnectionState | undefined {
  const { from, to } = transitions[happening.kind] as Transition<Happening>
  return from.includes(state.status) ? to(happening, means) : undefined
}

function ready({ life }: { life: Life }, { clock, backoff }: Means): ConnectionState {
  backoff.opened()
  return { status: 'ready', server: life.server, since: clock.now() }
}

function backingOff({ error }: { error: McpError }, { clock, backoff }: Means): ConnectionState {
  const retryAt = clock.now() + backoff.failed()
  return { status: 'backing_off', attempt: backoff.attempt, retryAt, error }
}

/** A server that forgets us again and again is waited for as one that is lost. */
function connectingAtOnce(happening: { error: McpError }, means: Means): ConnectionState {
  return means.backoff.failedOnce() ? connecting(happening, means) : backingOff(happening, means)
}

function connecting(_happening: unknown, { backoff }: Means): ConnectionState {
  return { status: 'connecting', attempt: backoff.attempt }
}

function connectingAnew(happening: unknown, means: Means): ConnectionState {
  means.backoff.reset()
  return connecting(happening, means)
}

function needsSignIn({ error }: { error: McpError }): ConnectionState {
  const authorizationUrl = error.data?.authorizationUrl
  if (typeof authorizationUrl !== 'string') return { status: 'needs_sign_in', error }
  return { status: 'needs_sign_in', error, authorizationUrl }
}
