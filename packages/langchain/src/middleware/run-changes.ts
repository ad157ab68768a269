import type { AgentState, Runtime, StateUpdate } from '@dataagent/core'
import type { BaseMessage } from '@langchain/core/messages'
import type { MessageBook } from '../messages/index.ts'
import { toPlan } from '../tools/index.ts'
import type { Fields } from './contract.ts'
import type { StateFields } from './state-fields.ts'

/**
 * What tools and wrapped calls change of the state of a run. They cannot themselves, so the next
 * hook does. Nothing is kept longer than the run's own runtime.
 */
export interface RunChanges {
  /** Told as the agent's plan where it sets `todos`. */
  note(runtime: Runtime, update: Fields): void
  /** The state with what was noted, which is forgotten, and the update that makes it so. */
  take(state: AgentState, runtime: Runtime): { state: AgentState; update: StateUpdate | undefined }
  /** The same to look at. */
  look(state: AgentState, runtime: Runtime): AgentState
}

export function createRunChanges(fields: StateFields, book: MessageBook): RunChanges {
  const noted = new WeakMap<Runtime, Fields[]>()

  function toUpdate(state: AgentState, changes: readonly Fields[]): StateUpdate {
    let update: StateUpdate = {}
    for (const { messages, ...rest } of changes) {
      const before = { ...state, ...update }
      update = { ...update, ...fields.reduce(before, rest) }
      if (Array.isArray(messages)) {
        update = { ...update, ...book.toUpdate(before.messages, messages as BaseMessage[]) }
      }
    }
    return update
  }

  function apply(state: AgentState, runtime: Runtime) {
    const changes = noted.get(runtime)
    if (changes === undefined) return { state, update: undefined }
    const update = toUpdate(state, changes)
    const { summary: _, jumpTo: __, ...changed } = update
    return { state: { ...state, ...changed } as AgentState, update }
  }

  return {
    note(runtime, update) {
      noted.set(runtime, [...(noted.get(runtime) ?? []), update])
      const plan = toPlan(update.todos)
      if (plan) runtime.emit(plan)
    },
    take(state, runtime) {
      const applied = apply(state, runtime)
      noted.delete(runtime)
      return applied
    },
    look: (state, runtime) => apply(state, runtime).state,
  }
}
