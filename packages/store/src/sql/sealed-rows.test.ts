import { randomBytes, randomUUID } from 'node:crypto'
import type { ApprovalRow, ServerRow } from '@dataagent/hub'
import { aSource } from '@dataagent/testkit/data-store'
import { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { createKeyring, createVault, rotateSecrets } from '../secrets/index.ts'
import { describeSql } from './describe-sql.ts'
import { aGroup } from './gateway/test-gateway-rows.ts'
import { createEngine, type SqlStore } from './open-sql.ts'
import type { Database } from './tables.ts'
import { aProvider } from './test-builders.ts'

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const oldVault = createVault({ keyring: createKeyring([oldKey]) })
const bothVault = createVault({ keyring: createKeyring([newKey, oldKey]) })
const newVault = createVault({ keyring: createKeyring([newKey]) })
const binding = { tenant: 'acme', table: 'any', row: 'any', column: 'any' }
const seal = (text: string) => oldVault.seal(text, binding)

await describeSql('what is sealed', (subject) => {
  test('every sealed column comes under a new master key, and opens with that one alone', async () => {
    const { store } = subject()
    await storeOneOfEach(store)
    await storeEdition(subject().url)
    const rotate = () =>
      rotateSecrets({
        ...{ vault: bothVault, rows: store.sealed.rows(), replace: store.sealed.replace },
      })
    expect(await rotate()).toEqual({ rewrapped: 8, current: 0, unreadable: [] })
    expect(await rotate()).toEqual({ rewrapped: 0, current: 8, unreadable: [] })
    const opened = new Map<string, string>()
    for await (const { id, envelope } of store.sealed.rows()) {
      opened.set(`${id.table}.${id.column}`, await newVault.open(envelope, binding))
    }
    expect(Object.fromEntries(opened)).toEqual({
      ...{ 'mcp_servers.secrets': 'server', 'mcp_credentials.secrets': 'credential' },
      ...{ 'mcp_sign_ins.value': 'sign-in', 'approvals.decision_details': 'args' },
      ...{ 'model_providers.api_key': 'provider', 'mcp_server_editions.secrets': 'edition' },
      ...{ 'mcp_tool_groups.api_key': 'group', 'data_sources.location': 'source' },
    })
    const [details] = await detailsOf(store)
    expect(JSON.parse(details!)).toMatchObject({ scope: 'session', args: { a: '***' } })
  })

  test('what was written anew meanwhile, or is gone, is left alone', async () => {
    const { store } = subject()
    const provider = aProvider({ api_key: await seal('first') })
    await store.providers.create(provider)
    const { tenant_id, provider_id } = provider
    const id = {
      ...{ table: 'model_providers', column: 'api_key', key: { tenant_id, provider_id } },
    }
    const row = { id, envelope: provider.api_key! }
    await store.providers.update({ ...provider, api_key: 'second' })
    expect(await store.sealed.replace(row, 'next')).toBe(false)
    await store.providers.delete(tenant_id, provider_id)
    expect(await store.sealed.replace(row, 'next')).toBe(false)
  })

  test('all are read where there are many', async () => {
    const { store } = subject()
    for (let n = 0; n < 51; n += 1) {
      await store.providers.create(
        aProvider({ tenant_id: 'many', provider_id: `p${n}`, api_key: 'x' }),
      )
    }
    const seen = new Set<string>()
    for await (const { id } of store.sealed.rows()) seen.add(JSON.stringify(id))
    expect([...seen].filter((id) => id.includes('many'))).toHaveLength(51)
  })
})

async function storeEdition(url: string): Promise<void> {
  const engine = createEngine({ url })
  const db = new Kysely<Database>({ dialect: engine.dialect })
  const { server_id: origin, ...server } = await aServer('edition')
  const edition = { ...server, server_id: 'kept', origin, superseded_by: 1 }
  await db.insertInto('mcp_server_editions').values(edition).execute()
  await db.destroy()
}

async function aServer(secret: string): Promise<ServerRow> {
  return {
    ...{ tenant_id: 'acme', server_id: 's', owner: '', name: 's', config: '{}', revision: 0 },
    ...{ created_at: 1, updated_at: 1, created_by: null, secrets: await seal(secret) },
  }
}

async function storeOneOfEach({ hub, providers, gateway, data }: SqlStore): Promise<void> {
  const tenant_id = 'acme'
  await hub.servers.insert(await aServer('server'))
  const place = { tenant_id, server_id: 's', user_id: 'ana', updated_at: 1 }
  await hub.servers.setCredential({ ...place, secrets: await seal('credential') })
  await hub.signIns.put({ ...place, record_id: 'r', value: await seal('sign-in') })
  await providers.create(aProvider({ tenant_id, api_key: await seal('provider') }))
  await providers.create(aProvider({ tenant_id, provider_id: 'open', api_key: null }))
  await gateway.groups.create(aGroup({ tenant_id, api_key: await seal('group') }))
  await data.sources.create(aSource({ tenant_id, location: await seal('source') }), { max: 1 })
  const details = { scope: 'session', args: { a: '***' }, sealed_args: await seal('args') }
  for (const decision_details of [JSON.stringify(details), '{"scope":"once"}', null]) {
    await hub.approvals.insert(anApproval(decision_details))
  }
}

function anApproval(decision_details: string | null): ApprovalRow {
  return {
    ...{ approval_id: randomUUID(), tenant_id: 'acme', status: 'decided', caller: 'c' },
    ...{ user_id: 'ana', agent_id: null, session_id: null, run_id: null, assignee: null },
    ...{ tool_call_id: 't', server_id: 's', tool_name: 't', definition_hash: 'h', digest: 'd' },
    ...{ action_request: '{}', reason: '{}', decision: 'approve', message: null, via: 'person' },
    ...{ decided_by: 'ana', decided_at: 2, decision_details, used_at: null, asked: 1 },
    ...{ created_at: 1, expires_at: 9 },
  }
}

async function detailsOf({ sealed, hub }: SqlStore): Promise<(string | null | undefined)[]> {
  const details: (string | null | undefined)[] = []
  for await (const { id } of sealed.rows()) {
    if (id.table !== 'approvals') continue
    const approval_id = id.key.approval_id!
    details.push((await hub.approvals.get('acme', approval_id))?.decision_details)
  }
  return details
}
