import type { Engine } from './engine.ts'

/**
 * A select whose rows nobody else changes or holds until the transaction ends. SQLite has no row
 * locks: its transactions hold the whole file for writing.
 */
export function held<Q extends { forUpdate(): unknown }>(kind: Engine['kind'], query: Q): Q {
  return kind === 'sqlite' ? query : (query.forUpdate() as Q)
}
