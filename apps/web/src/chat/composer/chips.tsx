import type { SessionInfo } from '@dataagent/schema'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Bot, ShieldCheck, ShieldOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useClient } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { chipWords } from './chip-words.ts'
import { sessionKey } from './server-switches.ts'
import { useSessionInfo } from './use-session-info.ts'

interface AgentChipProps {
  chosen: string | undefined
  onChoose(assistant_id: string): void
}

/** Who answers in a new chat. Nothing where there is no choice. */
export function AgentChip({ chosen, onChoose }: AgentChipProps) {
  const words = useWords(chipWords)
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['agents'],
    queryFn: ({ signal }) => client.agents.list({ signal }),
  })
  const agents = data?.agents ?? []
  if (agents.length < 2) return null
  const current = agents.find(({ assistant_id }) => assistant_id === chosen) ?? agents[0]
  return (
    <Menu
      align="start"
      trigger={
        <Chip icon={<Bot />} label={words.agent}>
          {current?.name}
        </Chip>
      }
      items={agents.map(({ assistant_id, name }) => ({
        label: name,
        onSelect: () => onChoose(assistant_id),
      }))}
    />
  )
}

/** Whether this chat asks before what would be asked. */
export function ApprovalChip({ session_id }: { session_id: string }) {
  const words = useWords(chipWords)
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const toProblem = useProblem()
  const info = useSessionInfo(session_id)
  if (!info) return null

  async function choose(auto_approve: boolean) {
    try {
      await client.sessions.update(session_id, { auto_approve })
      queries.setQueryData<SessionInfo>(
        sessionKey(session_id),
        (now) => now && { ...now, auto_approve },
      )
    } catch (error) {
      toaster.failed(toProblem(error))
    }
  }

  const isAuto = info.auto_approve ?? false
  return (
    <Menu
      align="start"
      trigger={
        <Chip icon={isAuto ? <ShieldOff /> : <ShieldCheck />} label={words.approvals} warn={isAuto}>
          {isAuto ? words.auto : words.ask}
        </Chip>
      }
      items={[
        { label: words.askAbout, icon: <ShieldCheck />, onSelect: () => void choose(false) },
        { label: words.autoAbout, icon: <ShieldOff />, onSelect: () => void choose(true) },
      ]}
    />
  )
}

interface ChipProps {
  icon: ReactNode
  label: string
  warn?: boolean
  children: ReactNode
}

/** Takes the properties of a menu's or panel's trigger too. */
export function Chip({ icon, label, warn, children, ...rest }: ChipProps) {
  return (
    <Button
      {...rest}
      kind="quiet"
      size="small"
      aria-label={`${label}: ${String(children)}`}
      className={warn ? 'rounded-full bg-wait-soft !text-wait' : 'rounded-full'}
      icon={
        <span aria-hidden="true" className="[&>svg]:size-3.5">
          {icon}
        </span>
      }
    >
      {children}
    </Button>
  )
}
