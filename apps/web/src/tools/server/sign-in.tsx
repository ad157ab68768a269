import { isClientError } from '@dataagent/client'
import type { ServerInfo, ServerSignIn } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { LogIn, LogOut } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { useProblem } from '../../api/use-problem.ts'
import { StateDot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { useServerActions } from '../use-server-actions.ts'
import { serversKey, takesOwn, useRefresh } from '../use-servers.ts'
import { accessWords } from './access-words.ts'

/** The sign-in over OAuth: whether there is one, beginning it, ending it. */
export function SignIn({ info }: { info: ServerInfo }) {
  const words = useWords(accessWords)
  const client = useClient()
  const { server_id } = info
  const query = useQuery({
    queryKey: [serversKey, 'sign-in', server_id],
    queryFn: ({ signal }) => client.servers.signInStatus(server_id, { signal }),
  })
  // At this one nobody signs in.
  if (isClientError(query.error, 'invalid_request')) return null
  return (
    <section className="flex max-w-xl flex-col gap-3">
      <h3 className="font-semibold">{words.signIn}</h3>
      <p className="text-sm text-soft">
        {words.signInAbout} {info.user_id === null && !takesOwn(info) && words.signInShared}
      </p>
      <QueryView query={query}>{(status) => <Status info={info} status={status} />}</QueryView>
    </section>
  )
}

function Status({ info, status }: { info: ServerInfo; status: ServerSignIn }) {
  const words = useWords(accessWords)
  const formats = useFormats()
  const client = useClient()
  const toaster = useToaster()
  const toProblem = useProblem()
  const refresh = useRefresh()
  const { signIn } = useServerActions(info)
  const [busy, setBusy] = useState(false)

  async function signOut() {
    setBusy(true)
    try {
      await client.servers.signOut(info.server_id)
      toaster.done(words.ended)
    } catch (error) {
      toaster.failed(toProblem(error))
    }
    await refresh()
    setBusy(false)
  }

  if (status.status === 'signed_in') {
    const { issuer, scope, expires_at } = status
    return (
      <div className="flex flex-col items-start gap-2 text-sm">
        <StateDot tone="good" text={words.signedIn(issuer)} />
        {expires_at !== undefined && (
          <p className="text-soft">{words.until(formats.time(expires_at))}</p>
        )}
        {scope !== undefined && scope !== '' && (
          <p className="text-soft">
            <PlainText text={words.scope(scope)} />
          </p>
        )}
        <Button
          busy={busy}
          icon={<LogOut aria-hidden="true" className="size-4" />}
          onClick={() => void signOut()}
        >
          {words.end}
        </Button>
      </div>
    )
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <StateDot
        tone={status.status === 'pending' ? 'wait' : 'plain'}
        text={status.status === 'pending' ? words.pending : words.signedOut}
      />
      <Button
        kind="primary"
        icon={<LogIn aria-hidden="true" className="size-4" />}
        onClick={() => void signIn()}
      >
        {words.begin}
      </Button>
    </div>
  )
}
