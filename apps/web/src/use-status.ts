import { useEffect, useState } from 'react'
import { type DependencyState, fetchDependencies, fetchHealth, type Health } from './api.ts'

export type Status =
  | { kind: 'asking' }
  | { kind: 'offline' }
  | { kind: 'answered'; health: Health; dependencies: DependencyState[] }

const everyMs = 3_000

/** How the server does, asked again every three seconds while the page is seen. */
export function useStatus(): Status {
  const [status, setStatus] = useState<Status>({ kind: 'asking' })

  useEffect(() => {
    const ended = new AbortController()
    const look = async () => {
      if (document.hidden) return
      const next = await fetchStatus(ended.signal)
      if (!ended.signal.aborted) setStatus(next)
    }
    const lookNow = () => void look()
    lookNow()
    const timer = setInterval(lookNow, everyMs)
    document.addEventListener('visibilitychange', lookNow)
    return () => {
      ended.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', lookNow)
    }
  }, [])

  return status
}

async function fetchStatus(signal: AbortSignal): Promise<Status> {
  const [health, dependencies] = await Promise.all([fetchHealth(signal), fetchDependencies(signal)])
  return health ? { kind: 'answered', health, dependencies } : { kind: 'offline' }
}
