import type { AskContext, NewQuery } from '@dataagent/data'
import type { DataPlan, QueryResult } from '@dataagent/schema'
import type { Principal } from '../identity/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { createAtOnce } from './at-once.ts'
import { dataOf } from './data-view.ts'
import { findSession } from './sessions-view.ts'

type Asking = Omit<AskContext, 'principal'> & { principal: Principal }

/** Runs a query for a person, in a session of theirs or in none. */
export type RunQuery = (asking: Asking, query: NewQuery) => Promise<QueryResult>

/** What asks sources for a person. */
export interface AskSources {
  run: RunQuery
  /** How its source would run a query that was run. It is no query of its own. */
  explain(asking: Omit<Asking, 'session_id'>, query_id: string): Promise<DataPlan>
}

/** A query takes a process or a connection: few of one person are under way at once. */
export function createAskSources(platform: GetPlatform): AskSources {
  const inTurn = createAtOnce({ perUser: 4, perTenant: 32, what: 'queries' })
  return {
    async run(asking, query) {
      const { principal, session_id } = asking
      const { queries } = dataOf(platform(), principal)
      if (session_id !== undefined) await findSession(platform(), principal, session_id)
      return inTurn(principal, () => queries.run(asking, query))
    },
    async explain({ principal, signal }, query_id) {
      const { queries } = dataOf(platform(), principal)
      return inTurn(principal, () => queries.explain({ principal, signal }, query_id))
    },
  }
}
