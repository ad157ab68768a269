import type { ServerSignInBegun } from '@dataagent/schema'
import { toPlainLine } from '../../ui/index.ts'
import type { Action, McpShell } from './contract.ts'
import { findRow } from './find-row.ts'
import { tell } from './tell.ts'
import { words } from './words.ts'

const lookMs = 1_000
const tellMs = 15_000

/** Signs in at a server that wants OAuth: in the person's browser, and here it is waited for. */
export const login: Action = async ({ words: [name] }, shell) => {
  const { lang, link, signal, write, openPage } = shell
  const row = await findRow('login', name, shell)
  if (!row) return 2
  const { server_id } = row
  if (server_id === undefined) {
    tell(shell, 'bad', words.noSignIn(row.name)[lang])
    return 1
  }
  const { servers } = link.client
  if ((await servers.signInStatus(server_id, { signal })).status === 'signed_in') {
    tell(shell, 'good', words.alreadySignedIn(row.name)[lang])
    return 0
  }
  const begun = await servers.beginSignIn(server_id, { signal })
  write(words.visit[lang])
  write(shell.theme.link(toPlainLine(begun.authorization_url)))
  if (isSafe(begun.authorization_url) && (await openPage(begun.authorization_url))) {
    write(shell.theme.dim(words.opened[lang]))
  }
  return waitForSignIn({ server_id, name: row.name, begun }, shell)
}

/** What the server of somebody else gave: a program is only started with a plain web address. */
export function isSafe(address: string): boolean {
  const url = URL.parse(address)
  const isPlain = /^[\x21-\x7e]{1,4096}$/.test(address)
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && isPlain
}

interface Waiting {
  server_id: string
  name: string
  begun: ServerSignInBegun
}

async function waitForSignIn({ server_id, name, begun }: Waiting, shell: McpShell) {
  const { lang, link, signal, write, theme } = shell
  const since = performance.now()
  let toldAt = since
  while (Date.now() < begun.expires_at) {
    const { status } = await link.client.servers
      .signInStatus(server_id, { signal })
      .catch((error) => {
        if (signal.aborted) return { status: 'stopped' as const }
        throw error
      })
    if (status === 'signed_in') {
      tell(shell, 'good', words.signedIn(name)[lang])
      return 0
    }
    if (status === 'stopped' || !(await pauseUnless(signal))) {
      tell(shell, 'warn', words.signInStopped[lang])
      return 1
    }
    if (performance.now() - toldAt < tellMs) continue
    toldAt = performance.now()
    write(theme.dim(words.waiting(Math.round((toldAt - since) / 1000))[lang]))
  }
  tell(shell, 'bad', words.signInExpired[lang])
  return 1
}

/** False where it was stopped meanwhile. */
async function pauseUnless(signal: AbortSignal): Promise<boolean> {
  const { setTimeout: pause } = await import('node:timers/promises')
  return pause(lookMs, true, { signal }).catch(() => false)
}
