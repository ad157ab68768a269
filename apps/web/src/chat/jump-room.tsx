import { type ReactNode, useMemo, useState } from 'react'
import { type Jump, JumpContext } from './jump.ts'

/** Where a click in one part of a chat shows a call in another. */
export function JumpRoom({ children }: { children: ReactNode }) {
  const [jump, setJump] = useState<Jump>()
  const state = useMemo(
    () => ({ jump, jumpTo: setJump, arrived: () => setJump(undefined) }),
    [jump],
  )
  return <JumpContext value={state}>{children}</JumpContext>
}
