import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGateway, type Gateway, type GatewaySettings } from '@dataagent/gateway'
import { apiKeyLookup, createHasher, createToken } from '@dataagent/store/secrets'
import { admin, startClinic } from './server.ts'

export interface ServeClinicOptions {
  /** Where everything is kept; made at the first start. */
  folder: string
  /** 0 takes any free one. */
  port: number
  settings: GatewaySettings
}

const group_id = 'clinic'

/** The nine tools as an MCP server for Dify and others, on this machine alone. */
export async function serveClinic({ folder, port, settings }: ServeClinicOptions) {
  await using starting = new AsyncDisposableStack()
  let gateway: Gateway | undefined
  const reloadGroups = async (tenant_id?: string) => gateway?.groups.reload(tenant_id)
  const clinic = starting.use(await startClinic({ folder, reloadGroups }))
  const { hub, sql, kv, keyring, vault, key, egress } = clinic
  const hasher = createHasher({ keyring })
  let url = ''
  gateway = starting.use(
    createGateway({
      ...{ hub, store: sql.gateway, kv, vault, key, egress, settings, version: '1.0.0' },
      craft: {
        ...{ lookup: apiKeyLookup, hash: hasher.hashSecret, verify: hasher.verifyApiKey },
        ...{ createToken, tokenHash: hasher.tokenHash, tokenHashes: hasher.tokenHashes },
      },
      // Nobody signs in here: whoever has the key of the group lets clients in.
      people: {
        bySignIn: async () => undefined,
        byKey: async () => undefined,
        stillMay: async () => undefined,
        signInPath: () => '/',
      },
      publicUrl: () => url,
      ipOf: ({ socket }) => socket.remoteAddress ?? '',
      isAllowedOrigin: ({ headers }) => headers.origin === undefined || headers.origin === url,
    }),
  )
  await gateway.start()
  const server = createServer(gateway.handle).listen(port, '127.0.0.1')
  await once(server, 'listening')
  starting.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const apiKey = await openGroup(gateway, clinic.allowList)
  const cleanup = starting.move()
  return { url, apiKey, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}

/** The group of the nine, made at the first start, and its key. */
async function openGroup(
  { groups }: Gateway,
  tools: Parameters<Gateway['groups']['create']>[1]['tools'],
): Promise<string> {
  if (groups.get(group_id) !== undefined) return groups.copyKey(admin, group_id)
  const made = await groups.create(admin, { group_id, name: '医美智能助手', tools })
  return made.key
}
