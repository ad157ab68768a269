import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Clock, createEgress } from '@dataagent/guard'
import {
  type AllowEntry,
  createHub,
  defineTool,
  type Hub,
  type HubLogEntry,
  type HubSettings,
  type Kv,
  type OwnTool,
  type Principal,
  type Tracer,
} from '@dataagent/hub'
import type { ServerConfigInput } from '@dataagent/schema'
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
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { createGateway, type Gateway } from '../gateway.ts'
import type { GatewayLogEntry, GatewaySettings } from '../gateway-options.ts'

export const admin: Principal = { tenant_id: 'acme', user_id: 'root', role: 'admin' }

/** One process that serves clients. */
export interface TestWorker {
  url: string
  hub: Hub
  gateway: Gateway
}

export interface TestGateway {
  workers: [TestWorker, TestWorker]
  /** Of both gateways and both hubs. */
  logs: (GatewayLogEntry | HubLogEntry)[]
  /** Key of the group `all`. */
  key: string
  /** The folder with the database and the journals. */
  dir: string
  kv: Kv
  /** Registers a server and waits until both workers offer its tools. Gives its id. */
  connect(config: ServerConfigInput): Promise<string>
}

export interface TestGatewayOptions {
  tools?: readonly OwnTool[]
  settings?: GatewaySettings
  hub?: HubSettings
  /** Of both hubs. */
  tracer?: Tracer
  /** One store, as each of the two workers sees it. */
  kvs?: readonly [Kv, Kv]
  /** Of the gateways and, where it is made here, of the KV. */
  clock?: Clock
  group?: readonly AllowEntry[]
  /** Whose browser it is, by a cookie. */
  people?: Record<string, Principal>
}

/** Two workers of one installation, each with an address of its own, and a group with all tools. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const stack = new AsyncDisposableStack()
  onTestFinished(() => stack.disposeAsync())
  const { path: dir } = stack.use(await temporaryDirectory())
  const egress = stack.use(createEgress({ policy: { mode: 'any' } }))
  const sql = stack.use(openSql({ url: `sqlite:${join(dir, 'gateway.db')}` }))
  await sql.migrate()
  const { clock } = options
  const kvs = options.kvs ?? twice(stack.use(createMemoryKv(clock === undefined ? {} : { clock })))
  const keyring = createKeyring([randomBytes(32)])
  const key = randomBytes(32)
  const logs: TestGateway['logs'] = []
  let publicUrl = ''
  const urls = new Set<string>()

  async function startWorker(kv: Kv): Promise<TestWorker> {
    const vault = createVault({ keyring })
    const hub: Hub = stack.use(
      createHub({
        ...{ store: sql.hub, kv, vault, key, passesQuestions: true, tracer: options.tracer },
        features: { featuresOf: () => ['*'] },
        egressFor: () => egress,
        journalDir: join(dir, randomUUID()),
        tools: options.tools ?? [echo],
        reloadGroups: async (tenant_id) => gateway.groups.reload(tenant_id),
        settings: { defaultAllow: everything, ...options.hub },
        onLog: (entry) => logs.push(entry),
      }),
    )
    const gateway = createGateway({
      ...{ hub, store: sql.gateway, kv, vault, craft: craftOf(keyring), key, egress, clock },
      people: peopleOf(options.people ?? {}),
      publicUrl: () => publicUrl,
      ipOf: ({ socket }) => socket.remoteAddress ?? '',
      isAllowedOrigin: ({ headers: { host, origin = publicUrl } }) =>
        origin === publicUrl && urls.has(`http://${host}`),
      version: '1.2.3',
      settings: options.settings,
      onLog: (entry) => logs.push(entry),
    })
    stack.use(gateway)
    await hub.start()
    await gateway.start()
    const server = createServer(gateway.handle).listen(0, '127.0.0.1')
    await once(server, 'listening')
    stack.defer(async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    publicUrl ||= url
    urls.add(url)
    return { url, hub, gateway }
  }

  const workers: TestGateway['workers'] = [await startWorker(kvs[0]), await startWorker(kvs[1])]
  const { key: groupKey } = await workers[0].gateway.groups.create(admin, {
    ...{ group_id: 'all', name: 'All tools', open_to_users: true },
    tools: options.group ?? everything,
  })
  await workers[1].hub.revisions.check()

  async function connect(config: ServerConfigInput): Promise<string> {
    const { server_id } = await workers[0].hub.servers.register(admin, { scope: 'tenant', config })
    await waitFor(() => workers.every(({ hub }) => isOffered(hub, server_id)), {
      timeoutMs: 20_000,
    })
    return server_id
  }

  return { workers, logs, key: groupKey, dir, kv: kvs[0], connect }
}

const everything = [{ server_id: '*', tool: '*' }]

function isOffered({ catalogue }: Hub, server_id: string): boolean {
  const tools = catalogue.ofServer(admin.tenant_id, server_id)
  return tools.some(({ offer }) => offer.status === 'offered')
}

function twice(kv: Kv): readonly [Kv, Kv] {
  return [kv, kv]
}

export const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  input: z.object({ text: z.string() }),
  run: ({ text }) => text,
})

function craftOf(keyring: ReturnType<typeof createKeyring>) {
  const hasher = createHasher({ keyring })
  return {
    lookup: apiKeyLookup,
    hash: hasher.hashSecret,
    verify: hasher.verifyApiKey,
    createToken,
    tokenHash: hasher.tokenHash,
    tokenHashes: hasher.tokenHashes,
  }
}

function peopleOf(people: Record<string, Principal>) {
  return {
    bySignIn: async ({ cookie = '' }: { cookie?: string | undefined }) =>
      people[/\bwho=(\w+)/.exec(cookie)?.[1] ?? ''],
    byKey: async (key: string) => people[key],
    async stillMay(who: { tenant_id: string; user_id: string }) {
      const principal = Object.values(people).find(
        ({ tenant_id, user_id }) => tenant_id === who.tenant_id && user_id === who.user_id,
      )
      return principal && { principal, expires_at: null }
    },
    signInPath: (path: string) => `/sign-in?next=${encodeURIComponent(path)}`,
  }
}
