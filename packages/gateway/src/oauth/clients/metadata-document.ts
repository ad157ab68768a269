import { isAppError, parseJson } from '@dataagent/schema'
import { z } from 'zod'
import type { OAuthServerOptions } from '../options.ts'
import { redirectUriFault } from '../redirect-uri.ts'
import { cleanName, type OAuthClient, toDocumentClient, unnamed } from './oauth-client.ts'

const largest = 64 * 1024
/** What the database has room for. */
const longestId = 191
const timeoutMs = 3000
const keptMs = 10 * 60_000
const failureKeptMs = 60_000

const documentSchema = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(20),
  token_endpoint_auth_method: z.literal('none').optional(),
  client_secret: z.never().optional(),
})

/** Whether an id is the address of a document that describes the client. */
export function isDocumentId(client_id: string): boolean {
  if (!client_id.startsWith('https://') || client_id.length > longestId) return false
  if (!URL.canParse(client_id)) return false
  const { href, pathname, username, password } = new URL(client_id)
  const isPlain = username === '' && password === '' && !client_id.includes('#')
  return isPlain && pathname !== '/' && href === client_id
}

export type DocumentRead =
  | { status: 'ok'; client: OAuthClient }
  /** There is none there, or it describes no client. */
  | { status: 'unknown' }
  /** Its host does not answer now: it says nothing of the client. */
  | { status: 'away'; retryAfterMs: number }

/**
 * Reads the client that `client_id` is the address of; where there is none to be had the log says
 * why. All of it is kept for a while, so that nobody makes this server ask another for long.
 */
export function createDocumentReader(
  options: Pick<OAuthServerOptions, 'egress' | 'kv' | 'craft' | 'onLog'>,
) {
  const { egress, kv, craft, onLog } = options
  const toKey = (client_id: string): string => `mcp:oauth:client-read:${craft.lookup(client_id)}`

  async function read(client_id: string): Promise<DocumentRead> {
    const limits = { timeoutMs, headersTimeoutMs: timeoutMs, maxResponseBytes: largest }
    const headers = { accept: 'application/json' }
    const answer = await egress.request(client_id, { ...limits, headers, redirect: 'manual' })
    const text = await answer.text()
    if (answer.status !== 200) throw new Answered(answer.status)
    const value = parseJson(text, { what: 'client metadata document' })
    return { status: 'ok', client: toClient(client_id, value) }
  }

  return {
    async known(client_id: string): Promise<DocumentRead | undefined> {
      const kept = await kv.get(toKey(client_id))
      return kept === undefined ? undefined : (JSON.parse(kept) as DocumentRead)
    },

    async fetch(client_id: string): Promise<DocumentRead> {
      const found = await read(client_id).catch((error: unknown): DocumentRead => {
        onLog({ level: 'warn', message: 'a client metadata document was refused', error })
        return isPassing(error) ? { status: 'away', retryAfterMs: failureKeptMs } : unknown
      })
      const ttlMs = found.status === 'ok' ? keptMs : failureKeptMs
      await kv.set(toKey(client_id), JSON.stringify(found), { ttlMs })
      return found
    },
  }
}

const unknown: DocumentRead = { status: 'unknown' }

class Answered extends Error {
  readonly status: number
  constructor(status: number) {
    super(`it was answered by ${status}`)
    this.status = status
  }
}

/** Whether it may be otherwise when asked again: the host failed, and did not say what is there. */
function isPassing(error: unknown): boolean {
  if (error instanceof Answered) return error.status >= 500 || error.status === 429
  return isAppError(error, 'timeout') || isAppError(error, 'upstream_failed')
}

function toClient(client_id: string, value: unknown): OAuthClient {
  const document = documentSchema.parse(value)
  if (document.client_id !== client_id) throw new Error('its client_id is another address')
  const fault = document.redirect_uris.map(redirectUriFault).find(Boolean)
  if (fault !== undefined) throw new Error(fault)
  const { client_name, redirect_uris } = document
  return toDocumentClient({
    client_id,
    client_name: cleanName(client_name) ?? unnamed,
    redirect_uris,
  })
}
