import { createContext, use } from 'react'

const AskAgainContext = createContext<(() => void) | undefined>(undefined)

export const AskAgainProvider = AskAgainContext

/** Sends the message of the turn again; undefined where that is not for this turn. */
export function useAskAgain(): (() => void) | undefined {
  return use(AskAgainContext)
}
