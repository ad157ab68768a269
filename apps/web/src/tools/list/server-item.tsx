import type { ServerInfo } from '@dataagent/schema'
import { Link } from '@tanstack/react-router'
import { KeyRound, LogIn } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { FaultText } from '../fault-text.tsx'
import type { ServerState } from '../server-state.ts'
import { toolsWords } from '../tools-words.ts'
import { useServerActions } from '../use-server-actions.ts'
import { useRights } from '../use-servers.ts'
import { ServerActions } from './server-actions.tsx'
import { StateText } from './state-text.tsx'

interface ServerItemProps {
  info: ServerInfo
  state: ServerState
}

/** One server of a list. */
export function ServerItem({ info, state }: ServerItemProps) {
  const words = useWords(toolsWords)
  const { name, server_id, transport, scope, tool_count, description } = info
  const says = description !== undefined && description !== name
  const isFailing = ['error', 'retrying', 'sign_in'].includes(state.kind)
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-2 border-b border-line px-4 py-3 last:border-0">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            to="/tools/servers/$serverId"
            params={{ serverId: server_id }}
            className="font-semibold [overflow-wrap:anywhere] hover:underline"
          >
            <PlainText text={name} />
          </Link>
          <Badge tone={scope === 'user' ? 'plain' : 'accent'}>{words.scopes[scope]}</Badge>
          <Badge>{words.transports[transport]}</Badge>
          {info.sample && <Badge tone="info">{words.sample}</Badge>}
          <span className="text-[13px] text-soft">{words.tools(tool_count)}</span>
        </div>
        {says && (
          <p className="line-clamp-2 text-sm text-soft">
            <PlainText text={description} />
          </p>
        )}
        {isFailing && info.status_message && (
          <div className="mt-1 text-[13px] text-bad [overflow-wrap:anywhere]">
            {words.lastError}: <FaultText fault={info.status_fault} message={info.status_message} />
          </div>
        )}
      </div>
      <div className="flex w-52 flex-col items-start gap-1">
        <StateText state={state} />
        <NextStep info={info} state={state} />
      </div>
      <ServerActions info={info} />
    </li>
  )
}

/** What the state asks of the person who looks at it. */
function NextStep({ info, state }: ServerItemProps) {
  const words = useWords(toolsWords)
  const { signIn } = useServerActions(info)
  const { mayManage, mayRenew } = useRights(info)
  const params = { serverId: info.server_id }
  if (state.kind === 'idle' && mayRenew)
    return <p className="max-w-52 text-[13px] text-soft">{words.idleAbout}</p>
  if (state.kind === 'sign_in' && mayRenew) {
    return (
      <Button
        size="small"
        kind="primary"
        icon={<LogIn aria-hidden="true" className="size-3.5" />}
        onClick={() => void signIn()}
      >
        {words.signIn}
      </Button>
    )
  }
  if (state.kind === 'credentials') {
    return (
      <Link
        {...{ to: '/tools/servers/$serverId', params, search: { tab: 'access' } }}
        className="inline-flex items-center gap-1.5 text-sm text-accent underline"
      >
        <KeyRound aria-hidden="true" className="size-3.5" /> {words.giveCredentials}
      </Link>
    )
  }
  if (state.kind === 'pending' && mayManage) {
    return (
      <Link
        {...{ to: '/tools/servers/$serverId', params, search: { tab: 'waiting' } }}
        className="text-sm text-accent underline"
      >
        {words.look}
      </Link>
    )
  }
  return null
}
