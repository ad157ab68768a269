import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Clock, createEgress } from '@dataagent/guard'
import { createHub, defineTool, type Hub, type Kv, type Principal } from '@dataagent/hub'
import { createMemoryKv } from '@dataagent/store/kv'
import {
  apiKeyLookup,
  createHasher,
  createKeyring,
  createToken,
  createVault,
} from '@dataagent/store/secrets'
import { openSql, type SqlStore } from '@dataagent/store/sql'
import { temporaryDirectory } from '@dataagent/testkit'
import { z } from 'zod'
import type { TokenCraft } from '../ports.ts'
import type { Groups } from './contract.ts'
import { createGroups } from './groups.ts'

export const admin: Principal = { tenant_id: 'acme', user_id: 'root', role: 'admin' }
export const stranger: Principal = { tenant_id: 'other', user_id: 'eve', role: 'admin' }
export const everything = [{ server_id: '*', tool: '*' }]

export function createTestCraft(keys: readonly Buffer[]): TokenCraft {
  const hasher = createHasher({ keyring: createKeyring(keys) })
  return {
    lookup: apiKeyLookup,
    hash: hasher.hashSecret,
    verify: hasher.verifyApiKey,
    createToken,
    tokenHash: hasher.tokenHash,
    tokenHashes: hasher.tokenHashes,
  }
}

export function anOwnTool(name: string) {
  const run = ({ text }: { text: string }) => `${name}: ${text}`
  const input = z.object({ text: z.string().default('') })
  return defineTool({ name, description: `Says ${name}.`, input, run })
}

/** One process of an installation: its hub and its groups. */
export interface TestProcess {
  hub: Hub
  groups: Groups
  errors: unknown[]
}

export interface TestInstallation extends AsyncDisposable {
  sql: SqlStore
  kv: Kv
  masters: Buffer[]
  key: Uint8Array
  start(options?: { clock?: Clock; kv?: Kv; masters?: Buffer[] }): Promise<TestProcess>
}

/** A real database and KV, on which processes are started: hubs with four tools of our own. */
export async function openInstallation(
  options: { url?: string; kv?: Kv; clock?: Clock } = {},
): Promise<TestInstallation> {
  const stack = new AsyncDisposableStack()
  const { path: dir } = stack.use(await temporaryDirectory())
  const egress = stack.use(createEgress({ policy: { mode: 'any' } }))
  const sql = stack.use(openSql({ url: options.url ?? `sqlite:${join(dir, 'gateway.db')}` }))
  await sql.migrate()
  const kv = options.kv ?? stack.use(createMemoryKv())
  const [masters, key] = [[randomBytes(32)], randomBytes(32)]

  async function start(own: Parameters<TestInstallation['start']>[0] = {}): Promise<TestProcess> {
    const errors: unknown[] = []
    const clock = own.clock ?? options.clock
    const vault = createVault({ keyring: createKeyring(own.masters ?? masters) })
    let groups: Groups | undefined
    const hub: Hub = stack.use(
      createHub({
        ...{ store: sql.hub, kv: own.kv ?? kv, vault, key, clock },
        features: { featuresOf: () => ['*'] },
        egressFor: () => egress,
        journalDir: join(dir, `journal-${randomUUID()}`),
        tools: ['alpha', 'beta', 'gamma', 'delta'].map(anOwnTool),
        reloadGroups: async (tenant_id) => groups?.reload(tenant_id),
        settings: { defaultAllow: everything },
      }),
    )
    const craft = createTestCraft(own.masters ?? masters)
    const { groups: rows, grants } = sql.gateway
    const onError = (error: unknown) => errors.push(error)
    groups = createGroups({ rows, grants, hub, vault, craft, clock, onError })
    await hub.start()
    return { hub, groups, errors }
  }
  return { sql, kv, masters, key, start, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
