import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { makePeople } from '../nodes/people.ts'
import { startArrivalsApart } from './load-apart.ts'

/** A server that answers all with that status, and when it was asked for the first time. */
async function startAnswering(status: number) {
  const first = Promise.withResolvers<void>()
  const server = createServer((_request, response) => {
    response.writeHead(status).end('{}')
    first.resolve()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen')
  return {
    ...{ url: `http://127.0.0.1:${address.port}`, asked: first.promise },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** One at the beginning, and no other as long as a test lasts. */
const seldom = { people: makePeople({ users: 1 }), perSecond: 0.001 }

test('a load tells how much it was', async () => {
  await using server = await startAnswering(200)
  await using load = startArrivalsApart({ ...seldom, url: server.url })
  await server.asked
  expect(await load.end()).toMatchObject({ ...{ perSecond: 0.001, asked: 1, shed: 0 } })
})

test('a load whose requests fail is none', async () => {
  await using server = await startAnswering(500)
  await using load = startArrivalsApart({ ...seldom, url: server.url })
  await server.asked
  await expect(load.end()).rejects.toThrow('500 {}')
})

test('a load that is less than wanted is none', async () => {
  await using server = await startAnswering(200)
  await using load = startArrivalsApart({ ...seldom, url: server.url, perSecond: 1e9 })
  await server.asked
  await expect(load.end()).rejects.toThrow('not 1000000000 a second')
})
