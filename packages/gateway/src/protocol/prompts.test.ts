import { expect, test } from 'vitest'
import { asAsked, createTestFeatures, resultOf } from './test-features.ts'

test('of two servers with a prompt of one name the one that was registered first keeps it', async () => {
  const { prompts } = createTestFeatures([
    { server_id: 'mall', created_at: 1, has: { 'prompts/list': [{ name: 'greet' }] } },
    { server_id: 'aaa', created_at: 2, has: { 'prompts/list': [{ name: 'greet' }] } },
  ])
  const { prompts: all } = resultOf(await prompts.list(asAsked()))
  expect(all).toEqual([{ name: 'greet' }, { name: 'aaa_greet' }])
  const ownerOf = async (name: string) => {
    const owner = await prompts.findOwner(asAsked(), name)
    return [owner?.server.server_id, owner?.name]
  }
  expect(await ownerOf('greet')).toEqual(['mall', 'greet'])
  expect(await ownerOf('aaa_greet')).toEqual(['aaa', 'greet'])
})

test('a prompt that is known is got at once, however long another server takes [E5.2]', async () => {
  const { clock, prompts } = createTestFeatures([
    { server_id: 'quick', created_at: 2, has: { 'prompts/list': [{ name: 'greet' }] } },
    { server_id: 'slow', created_at: 1, has: { 'prompts/list': [] }, ms: 2_900 },
  ])
  const first = prompts.get(asAsked({ name: 'greet' }))
  await clock.advanceAsync(2_900)
  expect(resultOf(await first)).toMatchObject({ done: 'quick' })
  await clock.advanceAsync(60_000)
  expect(resultOf(await prompts.get(asAsked({ name: 'greet' })))).toMatchObject({ done: 'quick' })
})
