import { parseJson } from '@dataagent/schema'
import { z } from 'zod'
import type { OAuthServerOptions } from '../options.ts'
import { redirectUriFault } from '../redirect-uri.ts'
import { cleanName, type OAuthClient, unnamed } from './oauth-client.ts'

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

/**
 * Reads the client that `client_id` is the address of. Undefined where there is none to be had: the
 * log says why. Both are kept for a while, so that nobody makes this server ask another for long.
 */
export function createDocumentReader(
  options: Pick<OAuthServerOptions, 'egress' | 'kv' | 'craft' | 'onLog'>,
) {
  const { egress, kv, craft, onLog } = options
  const toKey = (client_id: string): string => `mcp:oauth:client:${craft.lookup(client_id)}`

  async function read(client_id: string): Promise<OAuthClient | undefined> {
    const limits = { timeoutMs, headersTimeoutMs: timeoutMs, maxResponseBytes: largest }
    const headers = { accept: 'application/json' }
    const answer = await egress.request(client_id, { ...limits, headers, redirect: 'error' })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`it was answered by ${answer.status}`)
    return toClient(client_id, parseJson(text, { what: 'client metadata document' }))
  }

  return {
    async known(client_id: string): Promise<{ client: OAuthClient | undefined } | undefined> {
      const kept = await kv.get(toKey(client_id))
      return kept === undefined ? undefined : { client: JSON.parse(kept) ?? undefined }
    },

    async fetch(client_id: string): Promise<OAuthClient | undefined> {
      const client = await read(client_id).catch((error: unknown) => {
        onLog({ level: 'warn', message: 'a client metadata document was refused', error })
        return undefined
      })
      const ttlMs = client === undefined ? failureKeptMs : keptMs
      await kv.set(toKey(client_id), JSON.stringify(client ?? null), { ttlMs })
      return client
    },
  }
}

function toClient(client_id: string, value: unknown): OAuthClient {
  const document = documentSchema.parse(value)
  if (document.client_id !== client_id) throw new Error('its client_id is another address')
  const fault = document.redirect_uris.map(redirectUriFault).find(Boolean)
  if (fault !== undefined) throw new Error(fault)
  return {
    client_id,
    client_name: cleanName(document.client_name) ?? unnamed,
    redirect_uris: document.redirect_uris,
    token_endpoint_auth_method: 'none',
    secret_hash: null,
    kind: 'document',
  }
}
