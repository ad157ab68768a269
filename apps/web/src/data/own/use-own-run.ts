import type { QueryResult } from '@dataagent/schema'
import { useEffect, useRef, useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { useAddOwnQuery } from './use-own-queries.ts'

/** A query that the reader runs; what it gives stands below. */
export interface OwnRun {
  run(sql: string): Promise<void>
  stop(): void
  state: 'idle' | 'running' | 'done' | 'stopped' | 'failed'
  /** Why it failed. */
  error: unknown
}

interface OwnRunOptions {
  query: QueryResult
  session_id: string | undefined
  /** The query of the agent that the result stands below. */
  below: string
}

/** The server takes no more of it. */
const purposeMax = 300

export function useOwnRun({ query, session_id, below }: OwnRunOptions): OwnRun {
  const client = useClient()
  const add = useAddOwnQuery(session_id, below)
  const running = useRef<AbortController>(undefined)
  const [{ state, error }, setState] = useState<Pick<OwnRun, 'state' | 'error'>>({
    ...{ state: 'idle', error: undefined },
  })
  useEffect(() => () => running.current?.abort(), [])

  async function run(sql: string): Promise<void> {
    if (running.current) return
    const own = new AbortController()
    running.current = own
    setState({ state: 'running', error: undefined })
    try {
      // Its purpose stays: by that it is known what it came from.
      const { source_id: source, purpose } = query
      const facts = {
        ...(session_id && { session_id }),
        ...(purpose && { purpose: purpose.slice(0, purposeMax) }),
      }
      add(await client.data.run({ source, sql, ...facts }, { signal: own.signal }))
      setState({ state: 'done', error: undefined })
    } catch (failure) {
      setState({ state: own.signal.aborted ? 'stopped' : 'failed', error: failure })
    }
    running.current = undefined
  }

  return { run, stop: () => running.current?.abort(), state, error }
}
