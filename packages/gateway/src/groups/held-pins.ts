import { readJson } from '@dataagent/schema'
import type { GroupRow } from '../ports.ts'
import type { Groups } from './contract.ts'
import type { Pins } from './named-list.ts'

export interface HeldPins {
  text: string
  pins: Pins
  /** When names may be stored again: not while that is under way, nor at once where it failed. */
  dueAt: number
}

/** Fewer are not looked through. */
const few = 100

/** The pins of groups, each read once. */
export function createHeldPins(groups: Pick<Groups, 'get'>) {
  const held = new Map<string, HeldPins>()
  let lookAt = few

  /** As often as there are twice as many as were left the last time. */
  function forgetGone(): void {
    if (held.size < lookAt) return
    for (const group_id of held.keys()) if (!groups.get(group_id)) held.delete(group_id)
    lookAt = Math.max(few, 2 * held.size)
  }

  return {
    of({ group_id, pinned_names: text }: GroupRow): HeldPins {
      const known = held.get(group_id)
      if (known?.text === text) return known
      if (known === undefined) forgetGone()
      const next = { text, pins: readJson(text) as Pins, dueAt: known?.dueAt ?? -Infinity }
      held.set(group_id, next)
      return next
    },
    /** As they were read last. */
    get: (group_id: string): HeldPins | undefined => held.get(group_id),
    /** Those held, of groups that have gone since included. */
    get size() {
      return held.size
    },
  }
}
