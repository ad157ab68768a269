import type { Approval } from '@dataagent/schema'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { usePreference } from '../../preferences/use-preferences.ts'
import { useLang } from '../../words/use-words.ts'
import { createNewcomers } from './new-approvals.ts'

/** Shows a notification of the browser for what is new, where the person wants it. */
export function useNotices(waiting: readonly Approval[] | undefined): void {
  const lang = useLang()
  const navigate = useNavigate()
  const isWanted = usePreference('notices') === 'on'
  const [newOf] = useState(createNewcomers)

  useEffect(() => {
    if (waiting === undefined) return
    const [first, ...others] = newOf(waiting)
    if (!isWanted || first === undefined) return
    const { approval_id } = first
    const onClick = () => void navigate({ to: '/approvals', search: { id: approval_id } })
    // Few want it: its words come when they are needed. The badge of the menu counts in any case.
    import('./show-notice.ts').then(
      ({ showNotice }) => showNotice({ first, count: others.length + 1, lang, onClick }),
      () => {},
    )
  }, [waiting, isWanted, newOf, lang, navigate])
}
