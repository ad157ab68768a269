import { createContext } from 'react'
import type { Highlight } from './highlight.ts'

/** What colours code; without it code is plain. */
export const HighlightContext = createContext<Highlight | undefined>(undefined)

/** Loaded when there is something to colour, once. */
export function createLazyHighlight(): Highlight {
  let made: Promise<Highlight> | undefined
  return async (text, name) => {
    made ??= import('./highlight.ts').then(({ createHighlight }) => createHighlight())
    try {
      return await (await made)(text, name)
    } catch {
      // It could not be loaded: code stays plain, and the next try loads again.
      made = undefined
      return undefined
    }
  }
}
