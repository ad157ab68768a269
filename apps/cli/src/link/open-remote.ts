import type { ClientError } from '@dataagent/client'
import type { Text } from '../words/index.ts'
import type { Link, RemoteOptions } from './contract.ts'
import { LinkError, type LinkFault } from './link-error.ts'
import { areFarApart, version as ours } from './version.ts'
import { texts } from './words.ts'

const patienceMs = 20_000

/**
 * Asks a server whether it is one of ours and who we are there. Rejects with a LinkError, or with
 * the reason of the signal.
 */
export async function openRemote(options: RemoteOptions): Promise<Link> {
  const { url, apiKey, signal, lang = 'en' } = options
  signal?.throwIfAborted()
  const late = AbortSignal.timeout(patienceMs)
  const given = { signal: signal ? AbortSignal.any([signal, late]) : late }
  const refuse = ({ fault, text, cause }: Refusal): never => {
    throw new LinkError(fault, text[lang], cause)
  }
  if (!isWebUrl(url)) return refuse({ fault: 'unreachable', text: texts.noUrl(url) })
  const { createClient, isClientError } = await import('@dataagent/client')
  const client = createClient({ baseUrl: url, apiKey })
  const explain = (error: unknown) => {
    signal?.throwIfAborted()
    return refuse(isClientError(error) ? toRefusal(error, options) : unreachable(url, error))
  }
  const { version } = await client.operations.health(given).catch(explain)
  if (areFarApart(version, ours)) {
    return refuse({ fault: 'stranger', text: texts.otherVersion(version, ours) })
  }
  const { user_id } = await client.identity.me(given).catch(explain)
  return toLink({ url, client, user_id, version })
}

function toLink(known: Pick<Link, 'url' | 'client' | 'user_id' | 'version'>): Link {
  const lost = new Promise<string>(() => {})
  return {
    ...{ ...known, kind: 'remote', lost, setServers: undefined },
    [Symbol.asyncDispose]: async () => {},
  }
}

interface Refusal {
  fault: LinkFault
  text: Text
  cause?: unknown
}

function toRefusal(cause: ClientError, { url, apiKey }: RemoteOptions): Refusal {
  const { status, error_code } = cause
  if (error_code === 'network_failed') return unreachable(url, cause.cause)
  if (status === 401 || status === 403) {
    const text = apiKey === undefined ? texts.noKey(url) : texts.wrongKey(url)
    return { fault: 'credential', text, cause }
  }
  const isBusy = [429, 502, 503, 504].includes(status)
  if (isBusy) return { fault: 'unreachable', text: texts.notReady(url), cause }
  return { fault: 'stranger', text: texts.stranger(url), cause }
}

function unreachable(url: string, cause: unknown): Refusal {
  return { fault: 'unreachable', text: texts.unreachable(url, reasonOf(cause)), cause }
}

/** The innermost: `fetch failed` says nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return reasonOf(error.cause)
  const { code } = error as NodeJS.ErrnoException
  return typeof code === 'string' ? code : error.message
}

function isWebUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '')
}
