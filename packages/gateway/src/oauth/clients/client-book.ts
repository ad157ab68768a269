import { isAppError } from '@dataagent/schema'
import type { ClientRow } from '../../ports.ts'
import type { OAuthServerOptions } from '../options.ts'
import type { Throttle } from '../throttle.ts'
import { createDocumentReader, type DocumentRead, isDocumentId } from './metadata-document.ts'
import type { OAuthClient } from './oauth-client.ts'
import { toSeedClient } from './static-clients.ts'

/** `limited`: the address that asks has had too many documents fetched. */
export type FoundClient = DocumentRead | { status: 'limited'; retryAfterMs: number }

/** The programs that may ask for access. */
export interface ClientBook {
  /** `ip` is who has its document fetched. */
  find(client_id: string, ip: string): Promise<FoundClient>
  /** Notes that it got a token, so that it is not taken for one that nobody uses. */
  used(client: OAuthClient): Promise<void>
}

export interface ClientBookOptions
  extends Pick<
    OAuthServerOptions,
    'clients' | 'egress' | 'kv' | 'craft' | 'clock' | 'settings' | 'onLog'
  > {
  throttle: Throttle
}

export function createClientBook(options: ClientBookOptions): ClientBook {
  const { clients, clock, settings, throttle, onLog } = options
  const documents = createDocumentReader(options)
  const seedClient = toSeedClient(settings)

  async function findDocument(client_id: string, ip: string): Promise<FoundClient> {
    const known = await documents.known(client_id)
    if (known !== undefined) return known
    const retryAfterMs = await throttle.take('document', ip)
    if (retryAfterMs !== undefined) return { status: 'limited', retryAfterMs }
    return documents.fetch(client_id)
  }

  return {
    async find(client_id, ip) {
      if (client_id === seedClient.client_id) return { status: 'ok', client: seedClient }
      if (isDocumentId(client_id)) return findDocument(client_id, ip)
      if (!/^[\x21-\x7e]{1,128}$/.test(client_id)) return { status: 'unknown' }
      const row = await clients.get(client_id)
      return row ? { status: 'ok', client: fromRow(row) } : { status: 'unknown' }
    },

    async used({ client_id, kind }) {
      if (kind !== 'dynamic') return
      await clients.touch(client_id, clock.now()).catch((error: unknown) => {
        if (!isAppError(error)) throw error
        onLog({ level: 'warn', message: 'the use of a client could not be noted', error })
      })
    },
  }
}

function fromRow(row: ClientRow): OAuthClient {
  const { client_id, client_name, token_endpoint_auth_method, secret_hash, kind } = row
  const redirect_uris = JSON.parse(row.redirect_uris) as string[]
  return { client_id, client_name, redirect_uris, token_endpoint_auth_method, secret_hash, kind }
}
