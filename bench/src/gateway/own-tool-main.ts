// The gateway with everything on and one tool of its own, in a process of its own, as a program
// that embeds it has it.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createGateway, type Gateway } from '@dataagent/gateway'
import { createEgress } from '@dataagent/guard'
import { createHub, defineTool, type Hub } from '@dataagent/hub'
import { createMemoryKv } from '@dataagent/store/kv'
import {
  apiKeyLookup,
  createHasher,
  createKeyring,
  createToken,
  createVault,
} from '@dataagent/store/secrets'
import { openSql } from '@dataagent/store/sql'
import { temporaryDirectory } from '@dataagent/testkit'
import { z } from 'zod'

const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  input: z.object({ text: z.string() }),
  run: ({ text }) => text,
})
const admin = { tenant_id: 'bench', user_id: 'root', role: 'admin' } as const
const cleanup = new AsyncDisposableStack()
const { path } = cleanup.use(await temporaryDirectory())
const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
const sql = cleanup.use(openSql({ url: `sqlite:${join(path, 'gateway.db')}` }))
await sql.migrate()
const kv = cleanup.use(createMemoryKv())
const keyring = createKeyring([randomBytes(32)])
const vault = createVault({ keyring })
const key = randomBytes(32)
const hub: Hub = cleanup.use(
  createHub({
    ...{ store: sql.hub, kv, vault, key, passesQuestions: true },
    features: { featuresOf: () => ['*'] },
    egressFor: () => egress,
    journalDir: join(path, 'journal'),
    tools: [echo],
    settings: { defaultAllow: [{ server_id: '*', tool: '*' }] },
    reloadGroups: async (tenant_id) => gateway.groups.reload(tenant_id),
  }),
)
const hasher = createHasher({ keyring })
const gateway: Gateway = cleanup.use(
  createGateway({
    ...{ hub, store: sql.gateway, kv, vault, key, egress, version: '1.0.0' },
    craft: {
      ...{ lookup: apiKeyLookup, hash: hasher.hashSecret, verify: hasher.verifyApiKey },
      ...{ createToken, tokenHash: hasher.tokenHash, tokenHashes: hasher.tokenHashes },
    },
    people: {
      bySignIn: async () => undefined,
      byKey: async () => undefined,
      stillMay: async () => undefined,
      signInPath: (next) => next,
    },
    publicUrl: () => 'http://127.0.0.1',
    ipOf: ({ socket }) => socket.remoteAddress ?? '',
    isAllowedOrigin: () => true,
    settings: { rate_limits: { call_limit: 1_000_000_000, list_limit: 1_000_000_000 } },
  }),
)
await hub.start()
await gateway.start()
const { key: apiKey } = await gateway.groups.create(admin, {
  ...{ name: 'bench', tools: [{ server_id: '*', tool: '*' }] },
})
const server = createServer({ keepAliveTimeout: 600_000 }, gateway.handle)
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port, apiKey }),
)
process.on('disconnect', () => void cleanup.disposeAsync().finally(() => process.exit()))
