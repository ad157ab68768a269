import { randomBytes } from 'node:crypto'
import { createEgress, type Egress } from '@dataagent/guard'
import type { AllowList, Kv, Principal, Subject } from '@dataagent/hub'
import { createMemoryKv } from '@dataagent/store/kv'
import {
  apiKeyLookup,
  createHasher,
  createKeyring,
  createToken,
  createVault,
} from '@dataagent/store/secrets'
import { openSql, type SqlStore } from '@dataagent/store/sql'
import { createFakeClock, type FakeClock } from '@dataagent/testkit'
import type { GatewayLogEntry } from '../gateway-options.ts'
import { createGroups, type Groups } from '../groups/index.ts'
import type { PlainRequest, PlainResponse } from '../http/index.ts'
import type { GroupRow, TokenCraft } from '../ports.ts'
import { createTokens, type Tokens } from '../tokens/index.ts'
import {
  createOAuthServer,
  type OAuthServer,
  type OAuthServerOptions,
  type People,
} from './index.ts'

export const publicUrl = 'https://tools.example'
export const userKey = 'da_the-key-of-ana-0123456789'
export const adminKey = 'da_the-key-of-root-0123456789'

/** Of an administrator of another tenant. */
export const strangerKey = 'da_the-key-of-eve-0123456789'

export const ana: Principal = { tenant_id: 'acme', user_id: 'ana', role: 'user' }
export const root: Principal = { tenant_id: 'acme', user_id: 'root', role: 'admin' }

export interface OAuthWorld extends AsyncDisposable {
  server: OAuthServer
  /** The same installation, seen from another process. */
  other: OAuthServer
  store: SqlStore
  kv: Kv
  clock: FakeClock
  groups: Groups
  tokens: Tokens
  craft: TokenCraft
  logs: GatewayLogEntry[]
  /** Key of the group `clinic`, and of `sales`. */
  keys: { clinic: string; sales: string }
  /** Ids of API keys that have an allow-list of their own. */
  boundKeys: Set<string>
  /** Changes a group's row, as an administrator would. */
  change(group_id: string, fields: Partial<GroupRow>): Promise<void>
  send(request: Partial<PlainRequest> & { path: string }): Promise<PlainResponse>
}

export type WorldOptions = Partial<
  Pick<OAuthServerOptions, 'settings' | 'publicUrl' | 'people'>
> & { egress?: Egress }

/** The authorization server on real stores, with two groups: one open to users, one not. */
export async function startOAuthWorld(options: WorldOptions = {}): Promise<OAuthWorld> {
  const stack = new AsyncDisposableStack()
  const clock = createFakeClock()
  const kv = stack.use(createMemoryKv({ clock }))
  const store = stack.use(openSql({ url: 'sqlite::memory:' }))
  await store.migrate()
  const keyring = createKeyring([randomBytes(32)])
  const craft = createCraft(keyring)
  const boundKeys = new Set<string>()
  const vault = createVault({ keyring })
  const groups = createTestGroups({ store, craft, clock, vault, boundKeys })
  const keys = { clinic: `mk_${createToken()}`, sales: `mk_${createToken()}` }
  const clinic = {
    group_id: 'clinic',
    name: '诊所 Clinic',
    description: 'Nine tools',
    open_to_users: 1,
  }
  await store.gateway.groups.create(aGroup(clinic, craft.hash(keys.clinic)))
  await store.gateway.groups.create(
    aGroup({ group_id: 'sales', name: 'Sales' }, craft.hash(keys.sales)),
  )
  await groups.reload()
  const { grants } = store.gateway
  const key = randomBytes(32)
  const { stillMay } = options.people ?? people
  const made = { kv, craft, groups, clock, grants, key, stillMay, toolNames: () => [] }
  const tokens = stack.use(createTokens(made))
  const egress = options.egress ?? stack.use(createEgress({ policy: { mode: 'public' } }))
  const logs: GatewayLogEntry[] = []
  const parts: OAuthServerOptions = {
    ...{ kv, craft, groups, tokens, egress, clock, people, settings: {} },
    clients: store.gateway.clients,
    publicUrl: () => publicUrl,
    onLog: (entry) => logs.push(entry),
    ...options,
  }
  const server = createOAuthServer(parts)
  return {
    ...{
      server,
      other: createOAuthServer(parts),
      store,
      kv,
      clock,
      groups,
      tokens,
      craft,
      logs,
      keys,
      boundKeys,
    },
    async change(group_id, fields) {
      await store.gateway.groups.update('acme', group_id, fields)
      await groups.reload()
    },
    send: async (request) => (await server.handle(aRequest(request)))!,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export function aRequest(request: Partial<PlainRequest> & { path: string }): PlainRequest {
  const [path = '', query = ''] = request.path.split('?')
  const plain = { method: 'GET', headers: {}, ip: '203.0.113.9', body: '' }
  return { ...plain, query: new URLSearchParams(query), ...request, path }
}

/** By a cookie `sign-in=ana`, as the server's own would tell. */
const people: People = {
  async bySignIn({ cookie = '' }) {
    if (/sign-in=root/.test(cookie)) return root
    return /sign-in=ana/.test(cookie) ? ana : undefined
  },
  async byKey(key) {
    const eve: Principal = { tenant_id: 'other', user_id: 'eve', role: 'admin' }
    const found = { [userKey]: ana, [adminKey]: root, [strangerKey]: eve }[key]
    return found && { ...found, api_key: `key-of-${found.user_id}` }
  },
  async stillMay({ user_id }) {
    const principal = [ana, root].find((one) => one.user_id === user_id)
    return principal && { principal, expires_at: null }
  },
  signInPath: (path) => `/sign-in?to=${encodeURIComponent(path)}`,
}

function createCraft(keyring: ReturnType<typeof createKeyring>): TokenCraft {
  const { hashSecret, verifyApiKey, tokenHash, tokenHashes } = createHasher({ keyring })
  const keys = { lookup: apiKeyLookup, hash: hashSecret, verify: verifyApiKey }
  return { ...keys, createToken, tokenHash, tokenHashes }
}

function createTestGroups(options: {
  store: SqlStore
  craft: TokenCraft
  clock: FakeClock
  vault: ReturnType<typeof createVault>
  boundKeys: ReadonlySet<string>
}): Groups {
  const { store, boundKeys, ...means } = options
  const unused = () => {
    throw new Error('groups are changed by their rows here')
  }
  const anAllowList = { entries: [], revision: 1, updated_at: 1, updated_by: null }
  const allowList = (tenant_id: string, subject: Subject): AllowList | undefined =>
    boundKeys.has(subject.id) ? { ...anAllowList, tenant_id, subject } : undefined
  const policy = { allowList, setAllowList: unused, clearAllowList: unused }
  const hub = { note: unused, policy, revisions: { publish: unused } }
  return createGroups({ rows: store.gateway.groups, grants: store.gateway.grants, hub, ...means })
}

function aGroup(fields: Partial<GroupRow>, hashes: Partial<GroupRow>): GroupRow {
  return {
    ...{ group_id: '', tenant_id: 'acme', name: '', description: '' },
    ...{ enabled: 1, open_to_users: 0, shown_once: 1, api_key: null },
    ...{ hashed_api_key: null, key_mac: null, pepper_kid: null },
    ...{ key_created_at: 1, key_expires_at: null, key_revoked_at: null },
    ...{ previous_hashed_api_key: null, previous_key_mac: null, previous_pepper_kid: null },
    ...{ previous_expires_at: null, key_number: 1, pinned_names: '{}' },
    ...{ created_at: 1, created_by: 'root', updated_at: 1 },
    ...fields,
    ...hashes,
  }
}
