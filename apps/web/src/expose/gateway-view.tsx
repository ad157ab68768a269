import { isClientError } from '@dataagent/client'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryView } from '../api/query-view.tsx'
import { Notice } from '../ui/notice.tsx'
import { useWords } from '../words/use-words.ts'
import { exposeWords } from './expose-words.ts'

interface GatewayViewProps<T> {
  query: UseQueryResult<T>
  children(data: T): ReactNode
}

/** What a query of groups gave; calm words where they are switched off or not the caller's. */
export function GatewayView<T>({ query, children }: GatewayViewProps<T>) {
  const words = useWords(exposeWords)
  if (query.data === undefined && isClientError(query.error, 'forbidden')) {
    return <Notice title={words.forbidden}>{words.forbiddenAbout}</Notice>
  }
  if (query.data === undefined && isOff(query.error)) {
    return <Notice title={words.off}>{words.offAbout}</Notice>
  }
  return <QueryView query={query}>{children}</QueryView>
}

/** Whether the server offers no groups at all. */
export function isOff(error: unknown): boolean {
  return isClientError(error, 'not_found') && error.message.includes('DATAAGENT_GATEWAY')
}
