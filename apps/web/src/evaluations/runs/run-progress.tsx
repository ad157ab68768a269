import type { EvaluationRun } from '@dataagent/schema'
import { useEffect, useState } from 'react'
import { useFormats, useWords } from '../../words/use-words.ts'
import { isOpen } from '../use-evaluations.ts'
import { RunState } from './run-state.tsx'
import { runsWords } from './runs-words.ts'

/** How far it is: in words, and as a bar. */
export function RunProgress({ run }: { run: EvaluationRun }) {
  const words = useWords(runsWords)
  const formats = useFormats()
  const { state, counts, planned } = run
  const elapsed = useElapsed(run)
  const share = planned === 0 ? 0 : Math.min(1, counts.total / planned)
  return (
    <div className="-mt-2 flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <p role="status" className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <RunState state={state} />
          <span className="tabular-nums">
            {words.progress(formats.number(counts.total), formats.number(planned))}
          </span>
          {counts.total > 0 && (
            <span className="tabular-nums">
              {words.passedOf(formats.number(counts.passed), formats.number(counts.total))}
            </span>
          )}
        </p>
        {elapsed !== undefined && (
          // Changes every second: not to be read aloud.
          <span className="text-soft tabular-nums">
            {words.elapsed} {formats.duration(elapsed)}
          </span>
        )}
      </div>
      {isOpen(state) && (
        <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-raised">
          <div style={{ width: `${share * 100}%` }} className="h-full rounded-full bg-accent" />
        </div>
      )}
    </div>
  )
}

/** Since it began; it stands still once the run is over. */
function useElapsed({ state, started_at, ended_at }: EvaluationRun): number | undefined {
  const [now, setNow] = useState(() => Date.now())
  const isRunning = isOpen(state)
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isRunning])
  if (started_at === null || (!isRunning && ended_at === null)) return undefined
  return Math.max(0, (ended_at ?? now) - started_at)
}
