import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { waitFor } from '../wait-for.ts'
import { type Pace, writePaced } from './paced-stream.ts'

const atOnce: Pace = { ttft: 0, itl: 0, stopAfter: Number.POSITIVE_INFINITY }

/** A response to a client that has not read anything yet. */
async function prepare() {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.0\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  return {
    socket,
    response,
    async [Symbol.asyncDispose]() {
      socket.destroy()
      server.close()
    },
  }
}

test('a reader that does not read holds the stream up, and gets all of it later', async () => {
  await using net = await prepare()
  const total = 100_000
  let made = 0
  function* frames() {
    for (; made < total; made++) yield { text: 'x'.repeat(300), isToken: true }
  }
  const writing = writePaced(net.response, frames(), atOnce)
  await waitFor(() => net.response.writableNeedDrain)
  expect(made).toBeLessThan(total / 2)
  const received = buffer(net.socket)
  expect(await writing).toBe('complete')
  net.response.end()
  const body = (await received).toString().split('\r\n\r\n')[1]
  expect(body?.length).toBe(total * 300)
})

test('a reader that leaves while we wait for a token ends the stream at once', async () => {
  await using net = await prepare()
  const frames = [{ text: 'x', isToken: true }]
  const writing = writePaced(net.response, frames, { ...atOnce, ttft: 60_000 })
  net.socket.destroy()
  expect(await writing).toBe('disconnected')
})
