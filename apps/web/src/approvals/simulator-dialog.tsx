import { useState } from 'react'
import { Explain, type Question } from '../explain/explain.tsx'
import { explainWords } from '../explain/explain-words.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useWords } from '../words/use-words.ts'

interface SimulatorDialogProps {
  /** What is asked at first. */
  question: Question & Pick<Parameters<typeof Explain>[0], 'args'>
  onClose(): void
}

export function SimulatorDialog({ question: { args, ...first }, onClose }: SimulatorDialogProps) {
  const words = useWords(explainWords)
  const [question, setQuestion] = useState<Question>(first)
  return (
    <Dialog title={words.title} size="wide" onClose={onClose}>
      <Explain question={question} args={args} onAsk={setQuestion} />
    </Dialog>
  )
}
