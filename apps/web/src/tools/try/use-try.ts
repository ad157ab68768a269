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
  const calls = useRef(new Map<string, string>())
  const calling = useMutation({
    mutationFn: (args: JsonObject) => {
      stopping.current = new AbortController()
      const { signal } = stopping.current
      const wait_for_approval = verdict === 'ask'
      const tool_call_id = idOf(calls.current, args)
      const tool = { server_id, name }
      return client.tools.call({ tool, args, wait_for_approval, tool_call_id }, { signal })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [serversKey, 'calls'] }),
  })
  const { variables: args } = calling
  return {
    ...calling,
    /** What the call under way is called: an approval that it waits for says so. */
    tool_call_id: args && idOf(calls.current, args),
    stop: () => stopping.current?.abort(),
  }
}

/** A call that is made again waits for the same approval: it is called as before. */
function idOf(calls: Map<string, string>, args: JsonObject): string {
  const key = JSON.stringify(args)
  const id = calls.get(key) ?? newCallId()
  calls.set(key, id)
  return id
}

/** `crypto.randomUUID` is for pages over HTTPS alone. */
function newCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `try-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
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
