import { useCallback } from 'react'
import { useFormats, useWords } from '../words/use-words.ts'
import { errorWords, toProblem } from './error-words.ts'

/** Puts an error into words of the chosen language. */
export function useProblem(): (error: unknown) => string {
  const words = useWords(errorWords)
  const formats = useFormats()
  return useCallback((error) => toProblem(error, words, formats), [words, formats])
}
