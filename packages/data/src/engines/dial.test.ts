import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { dial } from './dial.ts'

const never = new AbortController().signal

test('each address that a name has is checked, and the one that answers is taken', async () => {
  await using server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const checked: string[] = []
  const socket = await dial({
    ...{ host: 'db.example', port, signal: never },
    checkAddress: ({ host, address }) => void checked.push(`${host} ${address}`),
    lookup: async () => [
      { address: '127.0.0.2', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  })
  expect(socket.remoteAddress).toBe('127.0.0.1')
  expect(checked).toEqual(['db.example 127.0.0.2', 'db.example 127.0.0.1'])
  socket.destroy()
})

test('a name that is not answered is waited for no longer than the query', async () => {
  const query = new AbortController()
  const dialled = dial({
    ...{ host: 'silent.example', port: 1, signal: query.signal, checkAddress: undefined },
    lookup: () => new Promise(() => {}),
  })
  query.abort(new Error('the query was cancelled'))
  await expect(dialled).rejects.toThrow('the query was cancelled')
})

test('a name that nobody knows is told by its name', async () => {
  const lookup = () => Promise.reject(new Error('getaddrinfo ENOTFOUND'))
  await expect(
    dial({ host: 'nowhere.example', port: 1, signal: never, checkAddress: undefined, lookup }),
  ).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The name nowhere.example is not known.',
  })
})
