import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import { aNote, anAgent, aProvider, notesOf } from '../test-builders.ts'

await describeSql('agents and model providers', (subject) => {
  test('an agent comes back as it was stored, and is changed and deleted', async () => {
    const { agents } = subject().store
    const agent = anAgent({ system_prompt: '你是销售助手', model: 'house:small' })
    const { tenant_id } = agent
    await agents.create(agent)
    await agents.create(anAgent({ tenant_id, assistant_id: 'a', enabled: false }))
    expect(await agents.list(tenant_id)).toEqual([
      anAgent({ tenant_id, assistant_id: 'a', enabled: false }),
      agent,
    ])
    expect(await agents.list()).toContainEqual(agent)
    const changed = { ...agent, enable_shell: true, max_turns: 3, created_at: 7, updated_at: 8 }
    const stored = { ...changed, created_at: agent.created_at }
    expect(await agents.update(changed)).toEqual(stored)
    expect(await agents.list(tenant_id)).toContainEqual(stored)
    expect(await agents.delete(tenant_id, 'sales')).toBe(true)
    expect(await agents.delete(tenant_id, 'sales')).toBe(false)
    await expect(agents.update(agent)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a provider comes back as it was stored, under its own tenant', async () => {
    const { providers } = subject().store
    const provider = aProvider({ tenant_id: '*', api_key: 'v1.sealed', enabled: false })
    await providers.create(provider)
    expect(await providers.list('*')).toEqual([provider])
    expect(await providers.list('acme')).toEqual([])
    await expect(providers.create(provider)).rejects.toMatchObject({ code: 'conflict' })
    await providers.create({ ...provider, tenant_id: 'acme' })
    const changed = { ...provider, models: [], base_url: 'https://models.example', api_key: null }
    expect(await providers.update(changed)).toEqual(changed)
    expect(await providers.list('*')).toEqual([changed])
    expect(await providers.list('acme')).toEqual([{ ...provider, tenant_id: 'acme' }])
  })

  test('of any number at once as many are made as the tenant may have', async () => {
    const { agents, providers } = subject().store
    const tenant_id = 'full'
    const ids = ['a', 'b', 'c', 'd']
    const settled = await Promise.allSettled([
      ...ids.map((assistant_id) => agents.create(anAgent({ tenant_id, assistant_id }), { max: 2 })),
      ...ids.map((provider_id) =>
        providers.create(aProvider({ tenant_id, provider_id }), { max: 3 }),
      ),
    ])
    const refused = settled.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(3)
    for (const each of refused) expect(each).toMatchObject({ reason: { code: 'quota_exceeded' } })
    expect(await agents.list(tenant_id)).toHaveLength(2)
    expect(await providers.list(tenant_id)).toHaveLength(3)
    await agents.create(anAgent(), { max: 2 })
  })

  test('each change takes a revision of the topic agents and is noted; a refused one does neither', async () => {
    const { store } = subject()
    const agent = anAgent()
    const { tenant_id } = agent
    const provider = aProvider({ tenant_id })
    const noted = (kind: 'agent' | 'model_provider') => ({
      note: aNote({ tenant_id, kind, target: kind }),
    })
    const revision = async () => {
      const rows = await store.hub.revisions.changedSince(0)
      const own = rows.find((row) => row.tenant_id === tenant_id)
      expect(own?.topic).toBe('agents')
      return own!.revision
    }
    const changes = [
      () => store.agents.create(agent, noted('agent')),
      () => store.agents.update(agent, noted('agent')),
      () => store.providers.create(provider, noted('model_provider')),
      () => store.providers.delete(tenant_id, provider.provider_id, noted('model_provider')),
    ]
    const revisions: number[] = []
    for (const change of changes) {
      await change()
      revisions.push(await revision())
    }
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b))
    await expect(store.agents.create(agent, noted('agent'))).rejects.toThrow()
    expect(await store.providers.delete(tenant_id, 'none', noted('model_provider'))).toBe(false)
    expect(await revision()).toBe(revisions.at(-1))
    expect(await notesOf(store, tenant_id)).toHaveLength(4)
  })

  test('an id that not every database keeps apart is refused', async () => {
    const create = subject().store.agents.create(anAgent({ assistant_id: 'a ' }))
    await expect(create).rejects.toMatchObject({ code: 'invalid_request' })
  })
})
