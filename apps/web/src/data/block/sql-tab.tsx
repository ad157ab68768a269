import type { QueryResult } from '@dataagent/schema'
import { useState } from 'react'
import { CodeBlock } from '../../markdown/code-block.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { useWords } from '../../words/use-words.ts'
import { FaultNotice, ProblemNotice } from '../faults/fault-notice.tsx'
import type { OwnRun } from '../own/use-own-run.ts'
import { PlanView } from './plan-view.tsx'
import { queryWords } from './query-words.ts'

const sqlMax = 20_000

interface SqlTabProps {
  query: QueryResult
  own: OwnRun
}

/** The statement: how its source runs it, and a way to change and run it. */
export function SqlTab({ query, own }: SqlTabProps) {
  const words = useWords(queryWords)
  const [draft, setDraft] = useState<string>()
  const [isExplained, setExplained] = useState(false)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {draft === undefined ? (
        <>
          <CodeBlock text={query.sql} language="sql" />
          <div className="flex flex-wrap gap-2">
            <Button size="small" onClick={() => setDraft(query.sql)}>
              {words.edit}
            </Button>
            <Button
              size="small"
              aria-expanded={isExplained}
              onClick={() => setExplained(!isExplained)}
            >
              {words.explain}
            </Button>
          </div>
          {isExplained && <PlanView query={query} />}
        </>
      ) : (
        <Draft {...{ draft, own }} onChange={setDraft} onClose={() => setDraft(undefined)} />
      )}
      <Outcome own={own} />
    </div>
  )
}

interface DraftProps {
  draft: string
  own: OwnRun
  onChange(sql: string): void
  onClose(): void
}

function Draft({ draft, own, onChange, onClose }: DraftProps) {
  const words = useWords(queryWords)
  const isRunning = own.state === 'running'
  const run = () => void own.run(draft)
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <TextArea
        code
        label={words.sqlLabel}
        hint={words.editHint}
        rows={Math.min(16, draft.split('\n').length + 2)}
        maxLength={sqlMax}
        value={draft}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run()
        }}
      />
      <div className="flex gap-2">
        <Button
          type="submit"
          kind="primary"
          size="small"
          busy={isRunning}
          disabled={draft.trim() === ''}
        >
          {words.run}
        </Button>
        {isRunning ? (
          <Button size="small" onClick={own.stop}>
            {words.stop}
          </Button>
        ) : (
          <Button size="small" kind="quiet" onClick={onClose}>
            {words.close}
          </Button>
        )}
      </div>
    </form>
  )
}

/** What came of the last run. */
function Outcome({ own: { state, error } }: { own: OwnRun }) {
  const words = useWords(queryWords)
  if (state === 'failed') return <ProblemNotice error={error} />
  if (state === 'stopped') return <FaultNotice fault={{ kind: 'cancelled', said: '' }} />
  if (state !== 'done') return null
  return (
    <p role="status" className="text-sm text-soft">
      {words.ranBelow}
    </p>
  )
}
