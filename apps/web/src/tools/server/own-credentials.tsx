import type { ServerInfo } from '@dataagent/schema'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { useCredentials, useRefresh } from '../use-servers.ts'
import { accessWords } from './access-words.ts'

/** The caller's own credentials for a shared server: set, and taken back. */
export function OwnCredentials({ info }: { info: ServerInfo }) {
  const words = useWords(accessWords)
  const client = useClient()
  const toaster = useToaster()
  const toProblem = useProblem()
  const refresh = useRefresh()
  const { data: status } = useCredentials(info)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [refused, setRefused] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '')

  async function save() {
    setBusy(true)
    setRefused(undefined)
    try {
      const secrets = Object.fromEntries(given.map(([name, value]) => [name, toSent(name, value)]))
      const isLocal = info.transport === 'stdio'
      await client.servers.setCredentials(
        info.server_id,
        isLocal ? { env: secrets } : { headers: secrets },
      )
      setValues({})
      toaster.done(words.saved)
      await client.servers.reconnect(info.server_id).catch(() => undefined)
      await refresh()
    } catch (error) {
      setRefused(error)
    }
    setBusy(false)
  }

  return (
    <section className="flex max-w-xl flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-semibold">{words.credentials}</h3>
        {status && (
          <Badge tone={status === 'set' ? 'good' : 'wait'}>{words.statuses[status]}</Badge>
        )}
      </div>
      <p className="text-sm text-soft">{words.credentialsAbout}</p>
      {namesOf(info).map((name) => (
        <TextField
          key={name}
          type="password"
          autoComplete="off"
          label={name === 'Authorization' ? words.token : name}
          value={values[name] ?? ''}
          onChange={(event) => setValues({ ...values, [name]: event.target.value })}
        />
      ))}
      {refused !== undefined && <Notice tone="bad">{toProblem(refused)}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button
          kind="primary"
          busy={busy}
          disabled={given.length === 0}
          onClick={() => void save()}
        >
          {words.save}
        </Button>
        {(status === 'set' || status === 'unreadable') && (
          <Button kind="danger" onClick={() => setRemoving(true)}>
            {words.remove}
          </Button>
        )}
      </div>
      {isRemoving && (
        <Confirm
          title={words.removeTitle}
          action={words.remove}
          toProblem={toProblem}
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await client.servers.deleteCredentials(info.server_id)
            toaster.done(words.removed)
            await refresh()
          }}
        >
          <p>{words.removeAbout}</p>
        </Confirm>
      )}
    </section>
  )
}

/** What the administrator left open to be set. */
function namesOf(info: ServerInfo): string[] {
  if (info.transport === 'stdio') return Object.keys(info.env)
  const named = Object.keys(info.headers)
  const hasToken = named.some((name) => name.toLowerCase() === 'authorization')
  return hasToken ? named : ['Authorization', ...named]
}

function toSent(name: string, value: string): string {
  const text = value.trim()
  const isToken = name.toLowerCase() === 'authorization' && !/\s/.test(text)
  return isToken ? `Bearer ${text}` : text
}
