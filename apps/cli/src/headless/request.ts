import type { ProgramCall, ProgramContext } from '../programs/index.ts'
import type { Text } from '../words/index.ts'
import { words } from './words.ts'

export type Approve = 'never' | 'policy' | 'auto'

/** What `dataagent run` was asked to do. */
export interface RunRequest {
  output: 'text' | 'json' | 'ndjson'
  withEvents: boolean
  approve: Approve
  session: { kind: 'new' } | { kind: 'last' } | { kind: 'session'; session_id: string }
  timeoutSeconds: number | undefined
  isQuiet: boolean
}

/** Reads the flags; what the table of flags has checked is not checked again. */
export function toRequest({ flags }: ProgramCall, { options }: ProgramContext): RunRequest | Text {
  const last = (name: string) => flags.get(name)?.at(-1)
  const session_id = last('session')
  const { resume } = options
  if ((session_id !== undefined && resume !== undefined) || resume?.kind === 'choose')
    return words.twoSessions
  const timeout = last('timeout')
  const timeoutSeconds = timeout === undefined ? undefined : Number(timeout)
  // Longer than Node's longest timer would be no time at all.
  if (timeoutSeconds !== undefined && !(timeoutSeconds > 0 && timeoutSeconds <= 2_000_000))
    return words.badTimeout(timeout ?? '')
  return {
    output: (last('output') ?? 'text') as RunRequest['output'],
    withEvents: flags.has('events'),
    approve: (last('approve') ?? 'never') as Approve,
    session:
      session_id === undefined ? (resume ?? { kind: 'new' }) : { kind: 'session', session_id },
    timeoutSeconds,
    isQuiet: flags.has('quiet'),
  }
}
