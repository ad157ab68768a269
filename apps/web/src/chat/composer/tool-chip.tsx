import { Wrench } from 'lucide-react'
import { createLateView } from '../../ui/create-part.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useWords } from '../../words/use-words.ts'
import { chipWords } from './chip-words.ts'
import { Chip } from './chips.tsx'
import type { ServerSwitch } from './server-switches.ts'
import { type ChatServer, useChatServers } from './use-chat-servers.ts'

const ToolPanel = createLateView(() =>
  import('./tool-panel.tsx').then(({ ToolPanel }) => ToolPanel),
)

interface ToolChipProps {
  assistant_id: string | undefined
  /** Ids of servers that the chat does without. */
  off: readonly string[]
  onSwitch(change: ServerSwitch): void
}

/** How many tools the chat has, and from where; opens what they can be switched off with. */
export function ToolChip({ assistant_id, off, onSwitch }: ToolChipProps) {
  const words = useWords(chipWords)
  const servers = useChatServers(assistant_id)
  if (!servers) return null
  const isOn = ({ info }: ChatServer) => !off.includes(info.server_id)

  return (
    <Popover
      label={words.toolsTitle}
      trigger={
        <Chip icon={<Wrench />} label={words.toolsLabel}>
          {toSum(servers, isOn, words)}
        </Chip>
      }
    >
      <ToolPanel servers={servers} isOn={isOn} onSwitch={onSwitch} />
    </Popover>
  )
}

type Words = (typeof chipWords)['en']

/** Of those that are on; what a person has to do comes last. */
function toSum(
  servers: readonly ChatServer[],
  isOn: (server: ChatServer) => boolean,
  words: Words,
): string {
  const on = servers.filter(isOn)
  const having = on.filter(({ tools }) => tools > 0)
  const tools = having.reduce((sum, server) => sum + server.tools, 0)
  const waiting = on.filter(({ state: { kind } }) => kind === 'sign_in' || kind === 'credentials')
  const off = servers.length - on.length
  return [
    having.length > 0 ? words.tools(tools, having.length) : words.noTools,
    ...(off > 0 ? [words.off(off)] : []),
    ...(waiting.length > 0 ? [words.signIn(waiting.length)] : []),
  ].join(words.comma)
}
