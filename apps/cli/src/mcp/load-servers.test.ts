import type { ServerConfigInput } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { loadServers } from './load-servers.ts'
import { testPlace } from './test-place.ts'

test('one that the platform cannot take is told of and left out; the others are there', async () => {
  await using place = await testPlace()
  await place.putUser({
    mcpServers: { a: { command: 'x' }, bad: { command: 'y' }, c: { command: 'z' } },
  })
  let running: string[] = []
  const setServers = async (servers: readonly ServerConfigInput[]) => {
    const names = servers.map(({ name }) => name)
    if (names.includes('bad')) throw new Error('this name is not allowed')
    running = names
  }
  const found = await loadServers({ ...place, link: { setServers } })
  expect(running).toEqual(['a', 'c'])
  expect(found.problems).toEqual(['MCP: bad: this name is not allowed'])
})

test('a remote platform is given none, and nobody is asked', async () => {
  await using place = await testPlace()
  await place.putProject({ mcpServers: { a: { command: 'x' } } })
  const ask = async () => expect.unreachable()
  const found = await loadServers({ ...place, link: { setServers: undefined }, ask })
  expect(found.servers).toHaveLength(1)
})
