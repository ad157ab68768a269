import { randomBytes } from 'node:crypto'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMall } from '@dataagent/example-mall'
import { createEgress } from '@dataagent/guard'
import { createHub, type HubOptions, type Principal } from '@dataagent/hub'
import { createMemoryKv } from '@dataagent/store/kv'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import { openSql } from '@dataagent/store/sql'

export const admin: Principal = { tenant_id: 'acme', user_id: 'root', role: 'admin' }

/** A hub on SQLite in a folder that goes with it. A real one keeps its folder and its keys. */
export async function openHub(options: Partial<HubOptions> = {}) {
  const cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await mkdtempDisposable(join(tmpdir(), 'hub-story-')))
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const sql = cleanup.use(openSql({ url: `sqlite:${join(path, 'hub.db')}` }))
  await sql.migrate()
  const hub = cleanup.use(
    createHub({
      store: sql.hub,
      kv: cleanup.use(createMemoryKv()),
      vault: createVault({ keyring: createKeyring([randomBytes(32)]) }),
      key: randomBytes(32),
      features: { featuresOf: () => ['*'] },
      egressFor: () => egress,
      journalDir: join(path, 'journal'),
      ...options,
    }),
  )
  await hub.start()
  return { hub, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}

/** The same with a shop that an administrator has registered as the server `mall`. */
export async function openShop() {
  const cleanup = new AsyncDisposableStack()
  const mall = cleanup.use(await startMall())
  const { hub } = cleanup.use(await openHub())
  const config = { name: 'mall', transport: 'sse', url: mall.url } as const
  const server = await hub.servers.register(admin, { scope: 'tenant', server_id: 'mall', config })
  await hub.whenOffered(server)
  return { hub, mall, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}
