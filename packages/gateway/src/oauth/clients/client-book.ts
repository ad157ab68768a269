import { isAppError } from '@dataagent/schema'
import type { ClientRow } from '../../ports.ts'
import type { OAuthServerOptions } from '../options.ts'
import type { Throttle } from '../throttle.ts'
import { createDocumentReader, isDocumentId } from './metadata-document.ts'
import type { OAuthClient } from './oauth-client.ts'
import { toSeedClient } from './static-clients.ts'

/** The programs that may ask for access. */
export interface ClientBook {
  /** Undefined for one that nobody knows. `ip` is who has its document fetched. */
  find(client_id: string, ip: string): Promise<OAuthClient | undefined>
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

  async function findDocument(client_id: string, ip: string): Promise<OAuthClient | undefined> {
    const known = await documents.known(client_id)
    if (known !== undefined) return known.client
    if ((await throttle.take('document', ip)) !== undefined) return undefined
    return documents.fetch(client_id)
  }

  return {
    async find(client_id, ip) {
      if (client_id === seedClient.client_id) return seedClient
      if (isDocumentId(client_id)) return findDocument(client_id, ip)
      if (!/^[\x21-\x7e]{1,128}$/.test(client_id)) return undefined
      const row = await clients.get(client_id)
      return row && fromRow(row)
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
