import { isClientError } from '@dataagent/client'
import type { ToolCallResponse, ToolView } from '@dataagent/schema'
import { useProblem } from '../../api/use-problem.ts'
import { ResultView } from '../../results/result-view.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { tryWords } from './try-words.ts'
import { useArgumentProblems } from './use-try.ts'

interface TryOutcomeProps {
  tool: ToolView
  calling: { data: ToolCallResponse | undefined; error: unknown; isPending: boolean }
}

/** What came of a call by hand, or why it was not made. */
export function TryOutcome({ tool, calling: { data, error, isPending } }: TryOutcomeProps) {
  const words = useWords(tryWords)
  const formats = useFormats()
  if (isPending) return null
  if (error) return <Refusal error={error} />
  if (!data) return null
  const result = 'result' in data ? data.result : undefined
  return (
    <section className="flex flex-col gap-3" aria-label={words.result}>
      {data.status === 'ok' ? (
        <p role="status" className="text-sm text-good">
          {words.done(formats.duration(data.duration_ms))}
        </p>
      ) : (
        <Notice tone="bad" title={words.toolFailed}>
          <PlainText text={data.error.message} />
        </Notice>
      )}
      {result && <ResultView result={result.raw} name={tool.name} />}
      {result?.rest && (
        <p className="text-[13px] text-soft">{words.rest(formats.bytes(result.rest.bytes))}</p>
      )}
    </section>
  )
}

function Refusal({ error }: { error: unknown }) {
  const words = useWords(tryWords)
  const toProblem = useProblem()
  const { '': ofAll = '' } = useArgumentProblems(error)
  const known = isClientError(error) ? words.refusals[error.error_code] : undefined
  if (error instanceof DOMException && error.name === 'AbortError')
    return <Notice tone="wait">{words.stopped}</Notice>
  const text = isClientError(error, 'invalid_arguments') ? ofAll : toProblem(error)
  return (
    <Notice tone="bad" title={known}>
      <PlainText text={text} />
    </Notice>
  )
}
