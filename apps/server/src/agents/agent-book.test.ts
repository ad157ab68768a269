import { createSettings } from '@dataagent/core'
import { createEgress } from '@dataagent/guard'
import { createSecret, type Session } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentRow, ProviderRow } from '../ports/index.ts'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { createAgentBook } from './agent-book.ts'
import { builtInAgent } from './built-in-agent.ts'
import type { AgentBook } from './contract.ts'
import { sealProviderKey } from './provider-secret.ts'

let server: TestPlatform
const egress = createEgress({ policy: { mode: 'any' } })
beforeAll(async () => {
  server = await startTestPlatform()
}, 60_000)
afterAll(async () => {
  await egress.close()
  await server[Symbol.asyncDispose]()
})

/** A book over the server's tables, with an environment of its own. */
async function openBook(env: Record<string, string> = {}): Promise<AgentBook> {
  const { tables, stores, vault, hub, workspaces, memory, log } = server.platform
  const book = createAgentBook({
    ...{ agents: tables.agents, providers: tables.providers, vault, hub, workspaces, memory, log },
    ...{ egress, providerEgress: egress, sessionLog: stores.events },
    providerPolicyOf: () => ({ mode: 'any' }),
    settings: createSettings({ env, egress, root: server.dir }),
  })
  await book.reload()
  return book
}

async function addProvider(change: Partial<ProviderRow> & { key?: string }): Promise<void> {
  const { tables, vault } = server.platform
  const { key = 'sk-0123456789', ...fields } = change
  const ref = { tenant_id: 'acme', provider_id: 'mine', ...fields }
  const api_key = await sealProviderKey(vault, ref, createSecret(key))
  await tables.providers.create({
    ...{ name: 'Mine', kind: 'openai', base_url: `${server.model.url}/v1`, models: ['standin'] },
    calls_tools: true,
    ...{ enabled: true, created_at: 1, updated_at: 1, api_key, ...ref },
  })
}

const anAgent = (change: Partial<AgentRow>): AgentRow => ({ ...builtInAgent('acme'), ...change })

const modelsOf = (book: AgentBook, tenant_id: string) =>
  book.models(tenant_id).map(({ model, is_default }) => `${model}${is_default ? '!' : ''}`)

describe('models', () => {
  test('are the demo model alone where there is nothing else [D6.4]', async () => {
    const book = await openBook()
    expect(modelsOf(book, 'empty')).toEqual(['demo!'])
    expect(book.list('empty')).toMatchObject([{ assistant_id: 'default', model: 'demo' }])
  })

  test('are those of the environment, of the tenant and of the platform, the tenant’s first', async () => {
    await addProvider({ models: ['standin', 'other'] })
    await addProvider({ tenant_id: '*', provider_id: 'all', models: ['big'] })
    await addProvider({ tenant_id: '*', provider_id: 'mine', models: ['hidden'] })
    const bare = await openBook()
    expect(modelsOf(bare, 'acme')).toEqual(['mine:standin!', 'mine:other', 'all:big'])
    expect(modelsOf(bare, 'globex')).toEqual(['all:big!', 'mine:hidden'])
    const keyed = await openBook({ OPENAI_API_KEY: 'sk-x', DATAAGENT_MODEL: 'openai:gpt-5' })
    expect(modelsOf(keyed, 'globex')).toEqual(['openai:gpt-5!', 'all:big', 'mine:hidden'])
    const named = await openBook({ DATAAGENT_MODEL: 'all:big, mine:standin' })
    expect(modelsOf(named, 'acme')[0]).toBe('all:big!')
  })

  test('of a provider that is off or cannot be opened are no choice, and say why', async () => {
    await addProvider({ tenant_id: 'off', provider_id: 'off', enabled: false })
    await addProvider({ tenant_id: 'off', provider_id: 'torn' })
    const { providers } = server.platform.tables
    const [torn] = (await providers.list('off')).filter((row) => row.provider_id === 'torn')
    await providers.update({ ...(torn as ProviderRow), api_key: 'v1.x.YQ.YQ' })
    const book = await openBook()
    expect(modelsOf(book, 'off')).not.toContain('torn:standin')
    const check = (model: string) => book.check(anAgent({ tenant_id: 'off', model }))
    await expect(check('off:standin')).rejects.toMatchObject({
      ...{ code: 'invalid_request', message: expect.stringContaining('is switched off') },
    })
    await expect(check('torn:standin')).rejects.toMatchObject({
      message: expect.stringContaining('cannot be opened'),
    })
  })
})

describe('agents', () => {
  test('are by their names, the built-in one replaced by a row of its id', async () => {
    const { agents } = server.platform.tables
    await agents.create(anAgent({ tenant_id: 'named', assistant_id: 'b', name: 'Beta' }))
    await agents.create(anAgent({ tenant_id: 'named', assistant_id: 'a', name: 'Zeta' }))
    const book = await openBook()
    const ids = () => book.list('named').map(({ assistant_id }) => assistant_id)
    expect(ids()).toEqual(['b', 'default', 'a'])
    await agents.create(anAgent({ tenant_id: 'named', name: 'Zz', enabled: false }))
    await book.reload('named')
    expect(ids()).toEqual(['b', 'a'])
    expect(book.choose('named')).toMatchObject({ assistant_id: 'b' })
    expect(() => book.choose('named', 'default')).toThrow('there is no agent default')
    expect(book.choose('acme')).toMatchObject({ assistant_id: 'default' })
  })

  test('of a tenant are not those of another', async () => {
    const { agents } = server.platform.tables
    await agents.create(anAgent({ tenant_id: 'one', assistant_id: 'own', name: 'Own' }))
    const book = await openBook()
    expect(book.get('one', 'own')).toBeDefined()
    expect(book.get('two', 'own')).toBeUndefined()
    expect(() => book.choose('two', 'own')).toThrow('there is no agent own')
  })

  test('that there are not, or no longer, run nothing', async () => {
    const { agents } = server.platform.tables
    await agents.create(anAgent({ tenant_id: 'end', assistant_id: 'short', name: 'Short' }))
    const book = await openBook()
    const leases = { acquire: async () => undefined, isHeld: async () => false }
    const session = { tenant_id: 'end', assistant_id: 'short', session_id: 's' } as Session
    await expect(
      book.createExecutor({ ...session, assistant_id: 'none' }, { leases }),
    ).rejects.toMatchObject({ code: 'not_found' })
    const executor = await book.createExecutor(session, { leases })
    await agents.delete('end', 'short')
    await book.reload('end')
    const principal = { tenant_id: 'end', user_id: 'u', role: 'user' } as const
    const events = await Array.fromAsync(executor.execute('Hi', 's', { principal, run_id: 'r' }))
    expect(events).toEqual([
      expect.objectContaining({
        ...{ event_type: 'error', error_code: 'not_found', seq: 0, run_id: 'r', session_id: 's' },
      }),
    ])
  })

  test('in another process are heard of', async () => {
    const { tables, agents, hub } = server.platform
    await tables.agents.create(anAgent({ assistant_id: 'heard', name: 'Heard' }))
    await hub.revisions.check()
    expect(agents.get('acme', 'heard')).toMatchObject({ name: 'Heard' })
  })
})
