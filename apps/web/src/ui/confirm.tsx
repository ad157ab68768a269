import { type ReactNode, useState } from 'react'
import { useWords } from '../words/use-words.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { Notice } from './notice.tsx'
import { uiWords } from './ui-words.ts'

interface ConfirmProps {
  title: string
  children: ReactNode
  /** What the button says that does it. */
  action: string
  /** Must be typed first, for what cannot be undone and reaches far. */
  typed?: string
  onConfirm(): Promise<void>
  onClose(): void
  /** What went wrong, in words. */
  toProblem(error: unknown): string
}

/** Asks before something that cannot be undone, and stays open with the reason where it fails. */
export function Confirm(props: ConfirmProps) {
  const { title, children, action, typed, onConfirm, onClose, toProblem } = props
  const words = useWords(uiWords)
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function confirm() {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setProblem(toProblem(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={title}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            kind="danger"
            busy={busy}
            disabled={typed !== undefined && text !== typed}
            onClick={() => void confirm()}
          >
            {action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        {children}
        {typed !== undefined && (
          <TextField
            label={words.typeToConfirm(typed)}
            value={text}
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
          />
        )}
        {problem && <Notice tone="bad">{problem}</Notice>}
      </div>
    </Dialog>
  )
}
