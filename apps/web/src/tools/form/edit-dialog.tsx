import type { ServerInfo, ServerUpdateInput } from '@dataagent/schema'
import { useMemo, useState } from 'react'
import { useClient, useMe } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { TestReport } from '../check/check-report.tsx'
import { useStoredTest } from '../check/use-test.ts'
import { useRefresh } from '../use-servers.ts'
import { fromConfig, toConfig } from './draft.ts'
import { findProblems, fromServer, problemWords } from './draft-problems.ts'
import { formWords } from './form-words.ts'
import { ServerForm } from './server-form.tsx'

interface EditDialogProps {
  info: ServerInfo
  onClose(): void
}

/** Changes a server that is there. Its secrets stay unless new ones are written. */
export function EditDialog({ info, onClose }: EditDialogProps) {
  const words = useWords(formWords)
  const wrong = useWords(problemWords)
  const toaster = useToaster()
  const toProblem = useProblem()
  const client = useClient()
  const { user_id } = useMe()
  const refresh = useRefresh()
  const [saved, setSaved] = useState(info)
  const [draft, setDraft] = useState(() =>
    fromConfig(info, info.user_id === null ? 'tenant' : 'user'),
  )
  const [refused, setRefused] = useState<unknown>()
  const [wasTried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const test = useStoredTest(info.server_id)

  const found = useMemo(() => findProblems(draft, wrong), [draft, wrong])
  const told = useMemo(() => fromServer(refused, wrong), [refused, wrong])

  async function save(): Promise<boolean> {
    setTried(true)
    if (Object.keys(found).length > 0) return false
    setBusy(true)
    try {
      const update = toConfig(draft) as ServerUpdateInput
      const now =
        saved.user_id === null
          ? await client.servers.update(saved.server_id, update)
          : await client.userServers.update(user_id, saved.name, update)
      setSaved(now)
      toaster.done(words.saved(now.name))
      await refresh()
      return true
    } catch (error) {
      setRefused(error)
      return false
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={words.editTitle(saved.name)}
      size="wide"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            busy={busy || test.isPending}
            onClick={() => void save().then((isSaved) => isSaved && test.mutate())}
          >
            {words.saveAndTest}
          </Button>
          <Button
            kind="primary"
            busy={busy}
            onClick={() => void save().then((isSaved) => isSaved && onClose())}
          >
            {words.save}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <ServerForm
          isEdit
          draft={draft}
          problems={wasTried ? { ...told, ...found } : {}}
          onChange={(next) => {
            setDraft(next)
            setRefused(undefined)
          }}
        />
        {refused !== undefined && <Notice tone="bad">{toProblem(refused)}</Notice>}
        <TestReport test={test} isLocal={draft.transport === 'stdio'} />
      </div>
    </Dialog>
  )
}
