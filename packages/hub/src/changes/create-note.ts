import { type Clock, createMasker, type Masker, systemClock } from '@dataagent/guard'
import { sha256 } from '../canonical-json.ts'
import { createChangeIds } from './change-ids.ts'
import type { Note } from './contract.ts'

export interface NoteOptions {
  masker?: Pick<Masker, 'mask'> | undefined
  clock?: Pick<Clock, 'now'> | undefined
}

/** A longer one is told by its digest. */
const charactersMax = 16_384

/** Makes the function by which changes are noted down: who, when, what, and without secrets. */
export function createNote(options: NoteOptions = {}): Note {
  const { masker = createMasker(), clock = systemClock } = options
  const nextId = createChangeIds(clock)

  function toText(value: unknown): string | null {
    if (value === undefined) return null
    const whole = JSON.stringify(value)
    if (whole.length <= charactersMax) return JSON.stringify(masker.mask(value))
    return JSON.stringify({ sha256: sha256(whole), characters: whole.length })
  }

  return (by, { before, after, ...happened }) => ({
    change_id: nextId(),
    ...happened,
    changed_at: clock.now(),
    by_tenant: by.tenant_id,
    user_id: by.acting_user ?? by.user_id,
    role: by.role,
    api_key: by.api_key ?? null,
    before: toText(before),
    after: toText(after),
  })
}
