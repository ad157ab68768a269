import type { ServerInfo } from '@dataagent/schema'
import { useEffect } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useWords } from '../../words/use-words.ts'
import { TestReport } from './check-report.tsx'
import { testWords } from './check-words.ts'
import { useStoredTest } from './use-test.ts'

interface TestDialogProps {
  info: ServerInfo
  onClose(): void
}

/** Tests a stored server at once. */
export function TestDialog({ info, onClose }: TestDialogProps) {
  const words = useWords(testWords)
  const test = useStoredTest(info.server_id)
  const { mutate } = test
  useEffect(() => {
    // Not at once: what is shown, taken away and shown again begins one test.
    const timer = setTimeout(() => mutate(), 0)
    return () => clearTimeout(timer)
  }, [mutate])
  return (
    <Dialog
      title={words.title(info.name)}
      onClose={onClose}
      footer={
        <>
          <Button busy={test.isPending} onClick={() => mutate()}>
            {words.again}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {words.close}
          </Button>
        </>
      }
    >
      <TestReport test={test} isLocal={info.transport === 'stdio'} />
    </Dialog>
  )
}
