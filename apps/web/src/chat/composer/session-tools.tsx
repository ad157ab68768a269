import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { useToaster } from '../../ui/toasts.tsx'
import { useChat } from '../chat-context.ts'
import { type ServerSwitch, switchesKey, switchServer, toOff } from './server-switches.ts'
import { ToolChip } from './tool-chip.tsx'
import { useSessionInfo } from './use-session-info.ts'

/** The tools of a chat that is there: what is switched is kept with it. */
export function SessionTools() {
  const client = useClient()
  const chat = useChat()
  const queries = useQueryClient()
  const toaster = useToaster()
  const toProblem = useProblem()
  const { session_id } = chat
  const info = useSessionInfo(session_id)
  const { mutateAsync } = useMutation(
    switchServer({
      ...{ client, queries, session_id },
      onFailed: (error) => toaster.failed(toProblem(error)),
    }),
  )
  const underWay = useMutationState({
    filters: { mutationKey: switchesKey(session_id), status: 'pending' },
    select: ({ state }) => state.variables as ServerSwitch,
  })
  if (!info) return null
  return (
    <ToolChip
      assistant_id={info.assistant_id}
      off={toOff(info.servers_off ?? [], underWay)}
      onSwitch={(change) => chat.holdFor(mutateAsync(change))}
    />
  )
}
