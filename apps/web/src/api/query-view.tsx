import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { uiWords } from '../ui/ui-words.ts'
import { useWords } from '../words/use-words.ts'
import { useProblem } from './use-problem.ts'

interface QueryViewProps<T> {
  query: UseQueryResult<T>
  children(data: T): ReactNode
}

/** What a query gave; until then that it loads, or why it did not and how to try again. */
export function QueryView<T>({ query, children }: QueryViewProps<T>) {
  const words = useWords(uiWords)
  const toProblem = useProblem()
  if (query.data !== undefined) return children(query.data)
  if (query.isError) {
    return (
      <Notice
        tone="bad"
        action={
          <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
            {words.again}
          </Button>
        }
      >
        {toProblem(query.error)}
      </Notice>
    )
  }
  return (
    <p role="status" className="flex items-center gap-2 py-8 text-sm text-soft">
      <Spinner /> {words.loading}
    </p>
  )
}
