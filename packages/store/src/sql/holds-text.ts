import { sql } from 'kysely'
import type { Engine } from './engine.ts'
import { toStorableText } from './storable-text.ts'

/**
 * Whether a column holds the text, as it is and without regard to case. SQLite knows the case of
 * ASCII letters only.
 */
export function holdsText(kind: Engine['kind'], column: string, text: string) {
  const place = sql.raw(kind === 'postgres' ? 'strpos' : 'instr')
  const wanted = toStorableText(text)
  return sql<boolean>`${place}(lower(${sql.ref(column)}), lower(${wanted})) > 0`
}
