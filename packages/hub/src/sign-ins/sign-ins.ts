import type { OAuthAuthorizer } from '@dataagent/mcp'
import { AppError, readJson } from '@dataagent/schema'
import type { Kv } from '../kv-port.ts'
import { isActive, isMachine, type Principal, platformTenant } from '../principal.ts'
import {
  assertMayChange,
  isVisible,
  type RegisteredServer,
  type Servers,
} from '../servers/index.ts'
import { toUpstreamKey, type UpstreamKey, type Upstreams } from '../upstreams/index.ts'
import { type Authorizers, toStateName } from './authorizers.ts'
import type { SignIns } from './contract.ts'

export interface SignInsOptions {
  servers: Pick<Servers, 'get'>
  authorizers: Authorizers
  upstreams: Pick<Upstreams, 'reconnect'>
  kv: Pick<Kv, 'get' | 'delete'>
}

interface Found {
  key: UpstreamKey
  authorizer: OAuthAuthorizer
}

export function createSignIns({ servers, authorizers, upstreams, kv }: SignInsOptions): SignIns {
  function find(by: Principal, server_id: string): Found {
    const near = [by.tenant_id, platformTenant].map((tenant) => servers.get(tenant, server_id))
    const server = near.find((one) => one && isVisible(by, one))
    if (!server) throw new AppError('not_found', `there is no server "${server_id}"`)
    const key = toUpstreamKey(server, by.user_id)
    assertTheirs(by, server, key)
    const authorizer = authorizers.get(server, key.user_id)
    if (!authorizer) throw new AppError('invalid_request', 'nobody signs in at this server')
    return { key, authorizer }
  }

  /** The server may want a person again: that is then in its health. */
  async function connect(key: UpstreamKey): Promise<void> {
    await upstreams.reconnect(key).catch(() => undefined)
  }

  return {
    async status(by, server_id) {
      return find(by, server_id).authorizer.status()
    },
    async begin(by, server_id) {
      return find(by, server_id).authorizer.signIn()
    },
    async finish(by, response) {
      const name = response.state && toStateName(response.state)
      const text = name ? await kv.get(name) : undefined
      const whose = text === undefined ? undefined : (readJson(text) as UpstreamKey)
      if (!name || !whose) throw new AppError('not_found', 'no sign-in waits for this answer')
      const { key, authorizer } = find(by, whose.server_id)
      const isTheirs = key.tenant_id === whose.tenant_id && key.user_id === whose.user_id
      if (!isTheirs) throw new AppError('not_found', 'no sign-in waits for this answer')
      await authorizer.finish(response)
      await kv.delete(name)
      await connect(key)
      return { server_id: key.server_id }
    },
    async signOut(by, server_id) {
      const { key, authorizer } = find(by, server_id)
      await authorizer.signOut()
      await connect(key)
    },
  }
}

/** Of a connection that is shared who may change the server, of a user's own the user. */
function assertTheirs(by: Principal, server: RegisteredServer, key: UpstreamKey): void {
  if (key.user_id === null && server.config.credentials !== 'user') {
    assertMayChange(by, server)
    return
  }
  const isPerson = isActive(by) && !isMachine(by)
  if (key.user_id !== null && key.user_id === by.user_id && isPerson) return
  throw new AppError('forbidden', 'a person signs in for themselves: this credential is of none')
}
