import type { EvaluationRun } from '@dataagent/schema'
import { useNavigate } from '@tanstack/react-router'
import { Play, Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useClient, useIsAdmin, useMe } from '../../api/api-context.ts'
import { ConfirmAct } from '../../api/confirm-act.tsx'
import { useAct } from '../../api/use-act.ts'
import { Button } from '../../ui/button.tsx'
import { useWords } from '../../words/use-words.ts'
import { evaluationsWords } from '../evaluations-words.ts'
import { Downloads } from '../report/downloads.tsx'
import { evaluationsKey, isOpen } from '../use-evaluations.ts'
import { runsWords } from './runs-words.ts'

/** What may be done with a run as it is. */
export function RunActions({ run }: { run: EvaluationRun }) {
  const words = useWords(runsWords)
  const common = useWords(evaluationsWords)
  const client = useClient()
  const navigate = useNavigate()
  const { act, busy } = useAct()
  const [isDeleting, setDeleting] = useState(false)
  const { run_id, name, state, user_id, counts } = run
  const isOwn = useMe().user_id === user_id
  const mayChange = useIsAdmin() || isOwn
  const reload = [evaluationsKey]

  async function remove() {
    await client.evaluations.delete(run_id)
    void navigate({ to: '/evaluations', search: { tab: 'runs' } })
  }

  if (isOpen(state)) {
    if (!mayChange) return null
    const work = () => client.evaluations.cancel(run_id)
    return (
      <Button
        kind="danger"
        busy={busy === 'stop'}
        icon={<Square aria-hidden="true" className="size-4" />}
        onClick={() => act({ name: 'stop', work, done: words.stopped, reload })}
      >
        {words.stop}
      </Button>
    )
  }
  const resume = () => client.evaluations.resume(run_id)
  return (
    <>
      {counts.total > 0 && <Downloads run={run} />}
      {mayChange && (
        <Button
          kind="danger"
          icon={<Trash2 aria-hidden="true" className="size-4" />}
          onClick={() => setDeleting(true)}
        >
          {common.delete}
        </Button>
      )}
      {state === 'interrupted' && isOwn && (
        <Button
          kind="primary"
          busy={busy === 'resume'}
          icon={<Play aria-hidden="true" className="size-4" />}
          onClick={() => act({ name: 'resume', work: resume, done: words.resumed, reload })}
        >
          {words.resume}
        </Button>
      )}
      {isDeleting && (
        <ConfirmAct
          title={words.deleteTitle(name)}
          action={common.delete}
          work={remove}
          done={words.deleted}
          reload={[[evaluationsKey, 'runs']]}
          onClose={() => setDeleting(false)}
        >
          <p>{words.deleteAbout}</p>
        </ConfirmAct>
      )}
    </>
  )
}
