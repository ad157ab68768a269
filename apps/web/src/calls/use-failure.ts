import { errorWords } from '../api/error-words.ts'
import { useWords } from '../words/use-words.ts'
import { readFailure } from './read-failure.ts'

/** Why a call failed, as a sentence, with what the server said of it; other text as it is. */
export function useFailure(): (text: string) => string {
  const { codes, original } = useWords(errorWords)
  return (text) => {
    const { code, message } = readFailure(text) ?? {}
    const sentence = codes[code ?? '']
    if (message === undefined) return sentence ?? text
    return sentence === undefined ? message : `${sentence} ${original(message)}`
  }
}
