import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createEgress, type Egress } from '@dataagent/guard'
import { createHub, createTracer, type Hub, type HubStore, type Rule } from '@dataagent/hub'
import { createMemoryKv } from '@dataagent/store/kv'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import { openSql } from '@dataagent/store/sql'
import { temporaryDirectory } from '@dataagent/testkit'
import type { Setting } from './contract.ts'

export const tenant_id = 'bench'
const admin = { tenant_id, user_id: 'root', role: 'admin' } as const

/** A hub with everything on: bindings, limits, schemas, audit on SQLite, spans to a receiver. */
export async function startGovernedHub(
  setting: Setting,
  cleanup: AsyncDisposableStack,
): Promise<Hub> {
  const { path } = cleanup.use(await temporaryDirectory())
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const sql = cleanup.use(openSql({ url: `sqlite:${join(path, 'hub.db')}` }))
  await sql.migrate()
  const hub = cleanup.use(
    createHub({
      store: withRules(sql.hub, setting.rules),
      kv: cleanup.use(createMemoryKv()),
      vault: createVault({ keyring: createKeyring([randomBytes(32)]) }),
      features: { featuresOf: () => ['*'] },
      egressFor: () => egress,
      journalDir: join(path, 'journal'),
      key: randomBytes(32),
      tracer: toTracer(setting, egress),
      settings: { upstreams: { toolsPerServer: Math.max(2_000, setting.tools) } },
    }),
  )
  await hub.start()
  await setUp(hub, setting)
  return hub
}

function toTracer({ url }: Setting, egress: Egress) {
  return createTracer({ endpoint: new URL(url).origin, egress, serviceName: 'bench' })
}

async function setUp(hub: Hub, { url, tools }: Setting): Promise<void> {
  const many = `${url}?tools=${tools}`
  for (const [name, address] of Object.entries({ echo: url, many })) {
    const config = { name, url: address }
    await hub.servers.register(admin, { scope: 'tenant', server_id: name, config })
  }
  await hub.policy.setAllowList(admin, { kind: 'tenant', id: tenant_id }, [
    { server_id: '*', tool: '*' },
  ])
  await hub.policy.addLimit(admin, {
    ...{ subject: { kind: 'user', id: '*' }, server_id: 'echo', tool: '*' },
    ...{ max_calls: 1_000_000_000, window_ms: 60_000 },
  })
  await hub.whenOffered({ tenant_id, server_id: 'echo' })
  await hub.whenOffered({ tenant_id, server_id: 'many' })
}

/** Rules of other users, as if they had been read from the database. */
function withRules(store: HubStore, count: number): HubStore {
  const rules = Array.from({ length: count }, (_, index) => toRule(index))
  const load: HubStore['policy']['load'] = async (...ids) => {
    const stored = await store.policy.load(...ids)
    return { ...stored, rules: [...stored.rules, ...rules] }
  }
  return { ...store, policy: { ...store.policy, load } }
}

function toRule(index: number): Rule {
  return {
    tenant_id,
    rule_id: `rule-${index}`,
    tier: 'tenant',
    subject: { kind: 'user', id: `other-${index}` },
    ...{ server_id: '*', tool: 'tool_*', effect: 'ask', trusts: [], note: '' },
    ...{ session_id: null, expires_at: null, revision: 1, created_at: 0, created_by: null },
  }
}
