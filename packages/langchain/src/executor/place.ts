import { AsyncLocalStorage } from 'node:async_hooks'
import type { DrivenTurn } from '@dataagent/core'
import type { OwnToolContext } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'

/**
 * Where in a turn code runs. LangChain's hooks, callbacks and backends are told nothing of it, and
 * those of a sub-agent are the same objects as its caller's.
 */
export interface Place {
  /** The turn that is worked on; within a tool, that of the sub-agent which it may be. */
  turn(prompt: string): DrivenTurn
  readonly notes: Notes
  /** Set while the model is asked for the agent's reply: what it says goes there. */
  readonly teller?: Teller | undefined
  /** The call under way, which waits to be let through. */
  readonly waiting?: Waiting | undefined
  readonly admitted?: Admitted | undefined
}

/** What is known of the turn in the end. */
export interface Notes {
  /** Ids of the model's messages that are in the log. */
  readonly said: Set<string>
  /** By turn the id of its newest reply, which other middlewares may still change. */
  readonly unended: Map<DrivenTurn, string>
  /** Set once the model was asked as often as it may be. */
  hadTooManyTurns: boolean
}

export interface Teller {
  text(piece: string): void
  /** What was told of the reply is void. */
  restart(): void
}

export interface Waiting {
  readonly tool_call_id: string
  /** Runs its tool, past everything that governs it. */
  execute(args: Record<string, unknown>): Promise<unknown>
}

/** The call that was let through. */
export interface Admitted {
  readonly tool_call_id: string
  readonly context: OwnToolContext
  /** Set once its tool has begun: another one of the same id is another call. */
  isBegun: boolean
}

const storage = new AsyncLocalStorage<Place>()

export function inPlace<T>(place: Place, work: () => Promise<T>): Promise<T> {
  return storage.run(place, work)
}

/** Throws where no turn is worked on: a graph that was made for one was used elsewhere. */
export function place(): Place {
  const found = storage.getStore()
  if (found) return found
  throw new AppError('invalid_request', 'The parts of a graph work only in the turn they are for.')
}

/** The same for those who may be called from anywhere. */
export function findPlace(): Place | undefined {
  return storage.getStore()
}
