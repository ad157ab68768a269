import { Link } from '@tanstack/react-router'
import { StateText } from '../../tools/list/state-text.tsx'
import { Switch } from '../../ui/field.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { chipWords } from './chip-words.ts'
import type { ServerSwitch } from './server-switches.ts'
import type { ChatServer } from './use-chat-servers.ts'

interface ToolPanelProps {
  servers: readonly ChatServer[]
  isOn(server: ChatServer): boolean
  onSwitch(change: ServerSwitch): void
}

/** Each server of the chat, to be switched off and on for it alone. */
export function ToolPanel({ servers, isOn, onSwitch }: ToolPanelProps) {
  const words = useWords(chipWords)
  return (
    <div className="flex flex-col gap-3">
      <div>
        <h2 className="text-sm font-semibold">{words.toolsTitle}</h2>
        <p className="text-[13px] text-soft">
          {servers.length === 0 ? words.noServers : words.toolsAbout}
        </p>
      </div>
      {servers.length > 0 && (
        <ul className="flex flex-col gap-3">
          {servers.map((server) => (
            <li key={server.info.server_id} className="[overflow-wrap:anywhere]">
              <Switch
                label={<PlainText text={server.info.name} />}
                hint={<About server={server} />}
                checked={isOn(server)}
                onChange={(on) => onSwitch({ server_id: server.info.server_id, on })}
              />
            </li>
          ))}
        </ul>
      )}
      <Link to="/tools" className="self-start text-[13px] text-accent hover:underline">
        {words.manage}
      </Link>
    </div>
  )
}

/** How many tools it has, or why it has none. */
function About({ server: { tools, state } }: { server: ChatServer }) {
  const words = useWords(chipWords)
  return tools > 0 ? words.count(tools) : <StateText state={state} />
}
