import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createEgress } from '@dataagent/guard'
import { createHub, type Hub, type Principal } from '@dataagent/hub'
import { createMemoryKv } from '@dataagent/store/kv'
import {
  apiKeyLookup,
  createHasher,
  createKeyring,
  createToken,
  createVault,
} from '@dataagent/store/secrets'
import { openSql } from '@dataagent/store/sql'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { createGateway, type Gateway } from '../src/index.ts'
import { startLegacyFixture } from './fixture-legacy.ts'
import { startModernFixture } from './fixture-modern.ts'
import { startForwarder } from './forwarder.ts'
import { listen } from './listen.ts'

const tenant_id = 'conformance'
const admin: Principal = { tenant_id, user_id: 'root', role: 'admin' }
const everything = [{ server_id: '*', tool: '*' }]

const fixtures = { legacy: startLegacyFixture, modern: startModernFixture }

export type UpstreamEra = keyof typeof fixtures

export interface Host extends AsyncDisposable {
  /** Where clients come in, without a credential. */
  url: string
  /** Opens the group with all tools. */
  key: string
}

/** The gateway before a fixture of one era, and the forwarder before the gateway. */
export async function startHost(era: UpstreamEra): Promise<Host> {
  const stack = new AsyncDisposableStack()
  const { path: dir } = stack.use(await temporaryDirectory())
  const fixture = stack.use(await fixtures[era]())
  const egress = stack.use(createEgress({ policy: { mode: 'any' } }))
  const sql = stack.use(openSql({ url: `sqlite:${join(dir, 'gateway.db')}` }))
  await sql.migrate()
  const keyring = createKeyring([randomBytes(32)])
  const shared = {
    kv: stack.use(createMemoryKv()),
    vault: createVault({ keyring }),
    key: randomBytes(32),
  }
  const hub: Hub = stack.use(
    createHub({
      ...{ ...shared, store: sql.hub, passesQuestions: true },
      features: { featuresOf: () => ['*'] },
      egressFor: () => egress,
      journalDir: join(dir, randomUUID()),
      reloadGroups: (tenant) => gateway.groups.reload(tenant),
      settings: { defaultAllow: everything },
    }),
  )
  const gateway: Gateway = stack.use(
    createGateway({
      ...{ ...shared, hub, store: sql.gateway, craft: craftOf(keyring), egress, people: nobody },
      publicUrl: () => publicUrl,
      ipOf: ({ socket }) => socket.remoteAddress ?? '',
      isAllowedOrigin: ({ headers: { host, origin = publicUrl } }) =>
        origin === publicUrl && `http://${host}` === publicUrl,
      version: '1.0.0',
      settings: { rate_limits: { enabled: false } },
      onLog({ level, message, error }) {
        if (level !== 'info') console.error(message, error ?? '')
      },
    }),
  )
  await hub.start()
  await gateway.start()
  const inner = stack.use(await listen(gateway.handle))
  let groupKey = ''
  const forwarder = stack.use(
    await startForwarder({ port: () => Number(new URL(inner.url).port), key: () => groupKey }),
  )
  const publicUrl: string = `http://localhost:${new URL(forwarder.url).port}`
  await connect(hub, fixture.url)
  const { key } = await gateway.groups.create(admin, {
    ...{ group_id: 'all', name: 'All tools', tools: everything, open_to_users: true },
  })
  groupKey = key
  return { url: publicUrl, key, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

async function connect(hub: Hub, url: string): Promise<void> {
  const config = { name: 'fixture', url, transport: 'http' } as const
  const { server_id } = await hub.servers.register(admin, { scope: 'tenant', config })
  await waitFor(() =>
    hub.catalogue.ofServer(tenant_id, server_id).some(({ offer }) => offer.status === 'offered'),
  )
}

/** There is nobody but the holder of the key. */
const nobody = {
  bySignIn: async () => undefined,
  byKey: async () => undefined,
  stillMay: async () => undefined,
  signInPath: () => '/sign-in',
}

function craftOf(keyring: ReturnType<typeof createKeyring>) {
  const { hashSecret: hash, verifyApiKey: verify, ...hasher } = createHasher({ keyring })
  const { tokenHash, tokenHashes } = hasher
  return { lookup: apiKeyLookup, hash, verify, createToken, tokenHash, tokenHashes }
}
