import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCanary, expectNoCanary, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startTestPlatform } from '../testing/test-platform.ts'

test('what a stored server was given is in no log line, whichever server says it [A1.5] [A5.3] [T8]', async () => {
  const given = createCanary('header')
  await using server = await startTestPlatform()
  await using tattler = await startTattler()
  const refusalOf = async (config: { name: string; headers?: object }) => {
    const json = { config: { ...config, url: tattler.url } }
    await server.ask('POST', '/mcp-servers', { as: 'boss', json })
    const isRefusal = ({ server_id, message }: Record<string, unknown>) =>
      server_id === config.name && `${message}`.includes('http 500')
    return waitFor(() => server.records.find(isRefusal))
  }
  await refusalOf({ name: 'mall', headers: { 'x-shop': given.marker } })
  expect((await refusalOf({ name: 'market' })).message).toContain('not you, ***')
  await expectNoCanary([given], [{ name: 'log', object: server.records }])
})

/** An upstream that refuses everyone by the name that the first has given. */
async function startTattler() {
  let name: unknown
  const http = createServer(({ headers }, response) => {
    name ??= headers['x-shop']
    response.writeHead(500, { 'content-type': 'text/plain' }).end(`not you, ${name}`)
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
