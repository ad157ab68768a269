import { openSql } from '@dataagent/store/sql'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { runServer, type ServerProcess } from './testing/test-server.ts'

const ready = (server: ServerProcess) =>
  waitFor(async () => (await server.get('/api/v1/ready')).ok, { timeoutMs: 20_000 })

/** The key of a group that was stored without its hash, as older rows are. */
async function makeOldGroup(dataDir: string): Promise<string> {
  await using server = runServer({ dataDir })
  await ready(server)
  const headers = { 'x-api-key': await server.shownKey(), 'content-type': 'application/json' }
  const body = JSON.stringify({ group_id: 'old', name: 'Old', tools: [] })
  const url = `${await server.url()}/api/v1/mcp-groups`
  // A machine that is busy may be told to come again.
  const made = await waitFor(async () => {
    const response = await fetch(url, { method: 'POST', headers, body })
    return response.status === 201 ? response : undefined
  })
  const { key } = (await made.json()) as { key: string }
  const sql = openSql({ url: `sqlite://${dataDir}/dataagent.db` })
  const lacking = { hashed_api_key: null, key_mac: null, pepper_kid: null }
  await sql.gateway.groups.update('default', 'old', lacking)
  await sql.close()
  return key
}

test('--fill-key-hashes fills what rows lack, says how many and exits; a server that runs takes the keys [E6.1]', async () => {
  await using directory = await temporaryDirectory()
  const key = await makeOldGroup(directory.path)
  await using server = runServer({ dataDir: directory.path })
  await ready(server)
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
  const statusWithKey = async () => {
    const { status, body } = await server.get('/mcp/v1/sse', headers)
    await body?.cancel()
    return status
  }
  expect(await statusWithKey()).toBe(401)
  const fill = () => runServer({ dataDir: directory.path, args: ['--fill-key-hashes'] })
  await using first = fill()
  expect(await first.ended).toBe(0)
  expect(first.stderr()).toContain('Gateway keys whose hash was filled in:  1')
  await waitFor(async () => (await statusWithKey()) === 200)
  await using second = fill()
  expect(await second.ended).toBe(0)
  expect(second.stderr()).toContain('filled in:  0')
  expect(`${first.stdout()}${first.stderr()}`).not.toContain(key.slice(3))
})

test('--fill-key-hashes says that nothing is kept where nothing is', async () => {
  await using directory = await temporaryDirectory()
  const args = ['--fill-key-hashes', '--session-store', 'memory']
  await using server = runServer({ dataDir: directory.path, args })
  expect(await server.ended).toBe(2)
  expect(server.stderr()).toContain('--fill-key-hashes: has nothing to fill')
})
