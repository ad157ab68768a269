import type { ServerHealth, ServerInfo } from '@dataagent/schema'
import { LogIn, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useClient, useMe } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { Button } from '../../ui/button.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { FaultText } from '../fault-text.tsx'
import { StateText } from '../list/state-text.tsx'
import { toolsWords } from '../tools-words.ts'
import { useServerActions } from '../use-server-actions.ts'
import { useHealth, useRefresh, useRights, useStates } from '../use-servers.ts'
import { HealthHistory } from './health-history.tsx'
import { serverWords } from './server-words.ts'

/** How the connections to a server fare. */
export function Health({ info }: { info: ServerInfo }) {
  const words = useWords(serverWords)
  const common = useWords(toolsWords)
  const { mayRenew } = useRights(info)
  const { signIn } = useServerActions(info)
  const [row] = useStates([info])
  const { data: healths = [] } = useHealth(info.server_id)
  const message = info.status_message
  const isLeftAlone = healths.some(({ breaker }) => breaker !== 'closed')
  return (
    <section
      aria-label={words.connections}
      className="flex flex-col gap-2 rounded-xl border border-line bg-panel px-4 py-3 text-sm"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {row && <StateText state={row.state} />}
        <span className="text-soft">{common.tools(info.tool_count)}</span>
        {row?.state.kind === 'sign_in' && mayRenew && (
          <Button
            size="small"
            kind="primary"
            icon={<LogIn aria-hidden="true" className="size-3.5" />}
            onClick={() => void signIn()}
          >
            {common.signIn}
          </Button>
        )}
        {mayRenew && info.status === 'running' && <RefreshTools server_id={info.server_id} />}
      </div>
      {message && info.status === 'error' && (
        <div className="text-bad [overflow-wrap:anywhere]">
          <FaultText fault={info.status_fault} message={message} />
        </div>
      )}
      {isLeftAlone && <p className="text-wait">{words.leftAlone}</p>}
      {healths.length > 1 && <Connections healths={healths} />}
      <HealthHistory server_id={info.server_id} />
    </section>
  )
}

function RefreshTools({ server_id }: { server_id: string }) {
  const words = useWords(serverWords)
  const client = useClient()
  const toaster = useToaster()
  const toProblem = useProblem()
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)

  async function listAgain() {
    setBusy(true)
    try {
      await client.servers.refresh(server_id)
      toaster.done(words.refreshed)
    } catch (error) {
      toaster.failed(toProblem(error))
    }
    await refresh()
    setBusy(false)
  }

  return (
    <Button
      size="small"
      kind="quiet"
      busy={busy}
      icon={<RefreshCw aria-hidden="true" className="size-3.5" />}
      onClick={() => void listAgain()}
    >
      {words.refresh}
    </Button>
  )
}

/** Those of several users, for who manages the server. */
function Connections({ healths }: { healths: readonly ServerHealth[] }) {
  const words = useWords(serverWords)
  const { states } = useWords(toolsWords)
  const formats = useFormats()
  const me = useMe()
  const kinds = { running: 'connected', stopped: 'idle', error: 'error' } as const
  return (
    <ul className="text-[13px] text-soft">
      {healths.map(({ user_id, status, since, message, fault }) => (
        <li key={user_id ?? ''} className="[overflow-wrap:anywhere]">
          <span className={user_id === me.user_id ? 'font-medium' : undefined}>
            {user_id ?? words.ofAll}
          </span>
          : {states[kinds[status]]}, {words.since(formats.time(since))}
          {message && (
            <>
              {' '}
              <FaultText fault={fault} message={message} />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
