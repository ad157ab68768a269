import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createEgress } from '@dataagent/guard'
import type { ServerConfigInput } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import { openSql } from '@dataagent/store/sql'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import type { CallContext } from '../call-context.ts'
import { createHub, type Hub } from '../hub.ts'
import type { HubLogEntry, HubOptions } from '../hub-options.ts'
import type { Principal } from '../principal.ts'
import type { RegisteredServer } from '../servers/index.ts'

/** A hub on a real database, with an administrator to set it up. */
export interface TestHub extends AsyncDisposable {
  hub: Hub
  admin: Principal
  logs: HubLogEntry[]
  /** The folder that holds the database and the journal. */
  dir: string
  /** Registers a server for the tenant, as the administrator. */
  register(config: ServerConfigInput, server_id?: string): Promise<RegisteredServer>
  /** Registers it and waits until its tools are offered. */
  connect(config: ServerConfigInput, server_id?: string): Promise<RegisteredServer>
  /** Waits until a server offers tools, or does so no longer. */
  offered(server_id: string, isOffered?: boolean): Promise<void>
}

export const tenant_id = 'acme'
export const admin: Principal = { tenant_id, user_id: 'root', role: 'admin' }
export const everything = [{ server_id: '*', tool: '*' }]

/** Makes and starts one. Options replace its own parts; what it made itself it closes. */
export async function startTestHub(options: Partial<HubOptions> = {}): Promise<TestHub> {
  const cleanup = new AsyncDisposableStack()
  const { path: dir } = cleanup.use(await temporaryDirectory())
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const sql = cleanup.use(openSql({ url: `sqlite:${join(dir, 'hub.db')}` }))
  await sql.migrate()
  const logs: HubLogEntry[] = []
  const hub = cleanup.use(
    createHub({
      store: sql.hub,
      kv: cleanup.use(createMemoryKv()),
      vault: createVault({ keyring: createKeyring([randomBytes(32)]) }),
      features: { featuresOf: () => ['*'] },
      egressFor: () => egress,
      journalDir: join(dir, 'journal'),
      key: randomBytes(32),
      onLog: (entry) => logs.push(entry),
      ...options,
    }),
  )
  await hub.start()
  return { ...createTools(hub), logs, dir, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}

function createTools(
  hub: Hub,
): Pick<TestHub, 'hub' | 'admin' | 'register' | 'connect' | 'offered'> {
  const register: TestHub['register'] = (config, server_id) =>
    hub.servers.register(admin, { scope: 'tenant', config, server_id })

  async function offered(server_id: string, isOffered = true): Promise<void> {
    const offers = () => hub.catalogue.ofServer(tenant_id, server_id)
    await waitFor(() => offers().some(({ offer }) => offer.status === 'offered') === isOffered)
  }

  return {
    hub,
    admin,
    register,
    offered,
    async connect(config, server_id) {
      const server = await register(config, server_id)
      await offered(server.server_id)
      return server
    },
  }
}

/** A call's context for an agent of the tenant, with nobody to ask. */
export function toContext(
  principal: Partial<Principal> = {},
  more: Partial<CallContext> = {},
): CallContext {
  return {
    principal: { tenant_id, user_id: 'ada', role: 'user', ...principal },
    source: 'agent',
    approver: { kind: 'nobody' },
    ...more,
  }
}
