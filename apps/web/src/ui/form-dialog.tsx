import { type ReactNode, useId, useState } from 'react'
import { useProblem } from '../api/use-problem.ts'
import { useWords } from '../words/use-words.ts'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { Notice } from './notice.tsx'
import { uiWords } from './ui-words.ts'

interface FormDialogProps extends Pick<DialogProps, 'title' | 'size' | 'onClose'> {
  /** What the button says that sends it. */
  action: string
  children: ReactNode
  /** The dialog closes after it, and stays open with the reason where it fails. */
  onSubmit(): Promise<unknown>
}

/** A form of its own window. */
export function FormDialog({ action, children, onSubmit, ...dialog }: FormDialogProps) {
  const words = useWords(uiWords)
  const toProblem = useProblem()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const form = useId()

  async function submit() {
    setBusy(true)
    setProblem(undefined)
    try {
      await onSubmit()
      dialog.onClose()
    } catch (error) {
      setProblem(toProblem(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <Button onClick={dialog.onClose}>{words.cancel}</Button>
          <Button type="submit" kind="primary" form={form} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {children}
        {problem && <Notice tone="bad">{problem}</Notice>}
      </form>
    </Dialog>
  )
}
