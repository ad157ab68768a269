import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Link } from './contract.ts'
import { openLocal } from './open-local.ts'
import { openRemote } from './open-remote.ts'
import { openTestPlace, type TestPlace } from './test-link.ts'
import { areFarApart } from './version.ts'

const apiKey = 'key-of-the-remote-user-0123456789'
let place: TestPlace
let platform: Link
beforeAll(async () => {
  place = await openTestPlace()
  platform = await openLocal(place.options)
})
afterAll(async () => {
  for (const one of [platform, place]) await one?.[Symbol.asyncDispose]()
})

/** A key that the platform's administrator has made. */
async function makeKey(): Promise<string> {
  const { key } = await platform.client.apiKeys.create('admin', { name: 'remote' })
  return key
}

/** Something that answers every request so. */
async function answering(status: number, body: string) {
  const server = createServer((_, response) => response.writeHead(status).end(body))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a remote platform is used by who has a key there', async () => {
  await using link = await openRemote({ url: `${platform.url}/`, apiKey: await makeKey() })
  expect(link).toMatchObject({ kind: 'remote', user_id: 'admin', setServers: undefined })
  const { events } = await link.client.chat.send({ message: 'hello' })
  expect(events.at(-1)).toMatchObject({ event_type: 'done' })
})

test('without a key, or with a wrong one, it is said how to give one', async () => {
  for (const given of [undefined, apiKey]) {
    const opening = openRemote({ url: platform.url, apiKey: given })
    await expect(opening).rejects.toMatchObject({
      ...{ fault: 'credential', message: expect.stringContaining('DATAAGENT_API_KEY') },
    })
  }
})

test('an address at which nobody listens is named with the reason', async () => {
  const { url } = await answering(200, '').then(async (server) => {
    await server[Symbol.asyncDispose]()
    return server
  })
  await expect(openRemote({ url, apiKey })).rejects.toMatchObject({
    ...{ fault: 'unreachable', message: expect.stringContaining('ECONNREFUSED') },
  })
  const inChinese = openRemote({ url: 'agents.example', apiKey, lang: 'zh' })
  await expect(inChinese).rejects.toThrow('agents.example 不是服务器地址')
})

test.each([
  ['a web page', 200, '<html>'],
  ['another API', 200, '{"hello":1}'],
  ['a server that knows no such path', 404, ''],
])('%s is no server of ours', async (_, status, body) => {
  await using other = await answering(status, body)
  await expect(openRemote({ url: other.url, apiKey })).rejects.toMatchObject({
    ...{ fault: 'stranger', message: expect.stringContaining('no DataAgent server') },
  })
})

test('versions that are far apart are told, not tried', async () => {
  await using newer = await answering(200, '{"status":"ok","version":"1.4.0","uptime":1}')
  await expect(openRemote({ url: newer.url, apiKey })).rejects.toMatchObject({
    ...{ fault: 'stranger', message: expect.stringContaining('1.4.0') },
  })
  const pairs = [
    ['0.1.0', '0.1.9'],
    ['0.1.0', '0.2.0'],
    ['1.1.0', '1.9.0'],
    ['1.1.0', '2.0.0'],
  ] as const
  expect(pairs.map(([a, b]) => areFarApart(a, b))).toEqual([false, true, false, true])
})

test('an opening that is given up ends with the reason', async () => {
  const signal = AbortSignal.abort(new Error('given up'))
  await expect(openRemote({ url: platform.url, apiKey, signal })).rejects.toThrow('given up')
})
