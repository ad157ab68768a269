import type { SessionInfo } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from '../api/api-context.ts'
import { useProblem } from '../api/use-problem.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { saveFile } from '../ui/save-file.ts'
import { useToaster } from '../ui/toasts.tsx'
import { uiWords } from '../ui/ui-words.ts'
import { useWords } from '../words/use-words.ts'
import { useChatBook } from './book-context.ts'
import { chatWords } from './chat-words.ts'

export type SessionAction = 'rename' | 'fork' | 'markdown' | 'json' | 'remove'

interface SessionActionsOptions {
  current: string | undefined
  /** Told when another chat is shown. */
  onChoose(): void
}

/** What can be done with a chat as a whole. `dialog` is to be rendered. */
export function useSessionActions({ current, onChoose }: SessionActionsOptions) {
  const words = useWords(chatWords)
  const client = useClient()
  const { drafts } = useChatBook()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toaster = useToaster()
  const toProblem = useProblem()
  const [shown, setShown] = useState<{ what: 'rename' | 'remove'; session: SessionInfo }>()

  const reload = () => queries.invalidateQueries({ queryKey: ['sessions'] })

  async function fork({ session_id, title = words.untitled }: SessionInfo) {
    const copy = await client.sessions.fork(session_id, {
      title: words.forkName(title).slice(0, 200),
    })
    await reload()
    await navigate({ to: '/c/$sessionId', params: { sessionId: copy.session_id } })
    onChoose()
  }

  async function save(
    { session_id, title = words.untitled }: SessionInfo,
    format: 'markdown' | 'json',
  ) {
    const answer = await client.sessions.export(session_id, { format })
    const [ending, type] =
      format === 'json' ? ['json', 'application/json'] : ['md', 'text/markdown']
    saveFile(`${title}.${ending}`, await answer.blob(), type)
  }

  function open(what: SessionAction, session: SessionInfo): void {
    if (what === 'rename' || what === 'remove') setShown({ what, session })
    else {
      const work = what === 'fork' ? fork(session) : save(session, what)
      work.catch((error) => toaster.failed(toProblem(error)))
    }
  }

  async function remove({ session_id }: SessionInfo) {
    await client.sessions.delete(session_id)
    drafts.set(session_id, '')
    await reload()
    if (session_id === current) await navigate({ to: '/c' })
  }

  const dialog = shown && (
    <>
      {shown.what === 'remove' && (
        <Confirm
          title={words.removeTitle}
          action={words.remove}
          onConfirm={() => remove(shown.session)}
          onClose={() => setShown(undefined)}
          toProblem={toProblem}
        >
          <p>{words.removeAbout(shown.session.title ?? words.untitled)}</p>
        </Confirm>
      )}
      {shown.what === 'rename' && (
        <Rename session={shown.session} onDone={reload} onClose={() => setShown(undefined)} />
      )}
    </>
  )
  return { open, dialog }
}

interface RenameProps {
  session: SessionInfo
  onDone(): Promise<void>
  onClose(): void
}

function Rename({ session, onDone, onClose }: RenameProps) {
  const words = useWords(chatWords)
  const common = useWords(uiWords)
  const client = useClient()
  const toProblem = useProblem()
  const [title, setTitle] = useState(session.title ?? '')
  const [problem, setProblem] = useState<string>()

  async function save() {
    try {
      await client.sessions.update(session.session_id, { title: title.trim() })
      await onDone()
      onClose()
    } catch (error) {
      setProblem(toProblem(error))
    }
  }

  return (
    <Dialog title={words.renameTitle} size="small" onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          autoFocus
          label={words.title}
          value={title}
          maxLength={200}
          problem={problem}
          onChange={(event) => setTitle(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" kind="primary">
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
