import type { ServerFault } from '@dataagent/schema'
import { PlainText } from '../ui/plain-text.tsx'
import { useWords } from '../words/use-words.ts'
import { faultWords } from './fault-words.ts'

interface FaultTextProps {
  fault: ServerFault | undefined
  message: string
}

const shownMax = 300

/** Why a server cannot be used. What the page has no words for is told as the server tells it. */
export function FaultText({ fault, message }: FaultTextProps) {
  const words = useWords(faultWords)
  const told = fault && words.faults[fault]
  const original = <PlainText text={message.slice(0, shownMax)} />
  if (told === undefined) return original
  return (
    <>
      {told}
      <details className="text-soft">
        <summary>{words.original}</summary>
        {original}
      </details>
    </>
  )
}
