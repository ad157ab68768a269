import { expect, test } from 'vitest'
import { newProvider, readProvider, toFields } from './read-provider.ts'

test('models are separated by lines or commas; what is empty is left to the server', () => {
  const fields = { ...newProvider, provider_id: 'ds', models: ' chat, reasoner\nchat\n' }
  expect(readProvider(fields)).toEqual({
    ...{ name: 'ds', kind: 'openai', base_url: null, calls_tools: true },
    models: ['chat', 'reasoner'],
  })
})

test('a stored key is kept unless another is written', () => {
  const fields = toFields({
    ...{ provider_id: 'ds', scope: 'tenant', name: 'DS', kind: 'openai', base_url: null },
    ...{ models: ['m'], api_key: { set: true }, calls_tools: false, enabled: true },
    ...{ created_at: 1, updated_at: 1 },
  })
  expect(readProvider(fields)).not.toHaveProperty('api_key')
  expect(readProvider({ ...fields, api_key: 'sk-1' }).api_key).toBe('sk-1')
})
