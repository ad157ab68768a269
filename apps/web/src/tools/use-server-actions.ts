import type { ServerInfo } from '@dataagent/schema'
import { useClient, useMe } from '../api/api-context.ts'
import { useProblem } from '../api/use-problem.ts'
import { useToaster } from '../ui/toasts.tsx'
import { useWords } from '../words/use-words.ts'
import { toUpdate } from './form/draft.ts'
import { toolsWords } from './tools-words.ts'
import { useRefresh } from './use-servers.ts'

/** What can be done with a server that is there. Says itself how it went. */
export function useServerActions(info: ServerInfo) {
  const client = useClient()
  const { user_id } = useMe()
  const words = useWords(toolsWords)
  const toaster = useToaster()
  const toProblem = useProblem()
  const refresh = useRefresh()
  const { server_id, name } = info

  async function told(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      toaster.failed(toProblem(error))
    }
    await refresh()
  }

  return {
    reconnect: () =>
      told(async () => {
        const { statuses } = await client.servers.reconnect(server_id)
        if (statuses.some(({ status }) => status === 'running'))
          toaster.done(words.reconnected(name))
        else toaster.failed(words.notReconnected(name))
      }),

    setDisabled: (disabled: boolean) =>
      told(async () => {
        const update = toUpdate(info, { disabled })
        if (info.user_id === null) await client.servers.update(server_id, update)
        else await client.userServers.update(user_id, name, update)
        toaster.done(disabled ? words.disabled(name) : words.enabled(name))
      }),

    /** Rejects where it does not go: the question stays open with the reason. */
    async remove(): Promise<void> {
      if (info.user_id === null) await client.servers.delete(server_id)
      else await client.userServers.delete(user_id, name)
      toaster.done(words.deleted(name))
      await refresh()
    },

    /** Goes on to where the server wants its people to sign in. */
    signIn: () =>
      told(async () => {
        const { authorization_url } = await client.servers.beginSignIn(server_id)
        if (/^https?:\/\//i.test(authorization_url)) location.assign(authorization_url)
        else toaster.failed(words.noSafeAddress)
      }),
  }
}
