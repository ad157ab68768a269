import { isClientError } from '@dataagent/client'
import type { JsonObject, ToolView } from '@dataagent/schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useClient } from '../../api/api-context.ts'
import { fieldPhrases, toPhrase } from '../../api/field-phrases.ts'
import { useWords } from '../../words/use-words.ts'
import { serversKey } from '../use-servers.ts'
import { tryWords } from './try-words.ts'

/** Calls a tool by hand. Where it must be asked for, the call waits for the decision. */
export function useTry({ server_id, name, verdict }: ToolView) {
  const client = useClient()
  const queries = useQueryClient()
  const stopping = useRef<AbortController>(undefined)
  const calling = useMutation({
    mutationFn: (args: JsonObject) => {
      stopping.current = new AbortController()
      const { signal } = stopping.current
      const wait_for_approval = verdict === 'ask'
      return client.tools.call({ tool: { server_id, name }, args, wait_for_approval }, { signal })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [serversKey, 'calls'] }),
  })
  return { ...calling, stop: () => stopping.current?.abort() }
}

/** What the server says of the arguments, by path. */
export function useArgumentProblems(error: unknown): Readonly<Record<string, string>> {
  const toProblems = useFieldErrors()
  return toProblems(isClientError(error) ? error.details?.errors : undefined)
}

/** Fields that do not fit, by path. */
export function useFieldErrors(): (errors: unknown) => Readonly<Record<string, string>> {
  const words = useWords(tryWords)
  const phrases = useWords(fieldPhrases)
  return (errors) => {
    if (!Array.isArray(errors)) return {}
    const told = errors.map((one) => {
      const { path, expected, got } = one as Record<'path' | 'expected' | 'got', unknown>
      return [
        String(path),
        words.expected(toPhrase(String(expected), phrases), toPhrase(String(got), phrases)),
      ]
    })
    return Object.fromEntries(told)
  }
}
