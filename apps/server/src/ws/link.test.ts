import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { systemClock } from '@dataagent/guard'
import type { Notice } from '@dataagent/schema'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createLink, type Link } from './link.ts'

interface Pair extends AsyncDisposable {
  link: Link
  /** The server's end. */
  socket: WebSocket
  client: WebSocket
}

async function openPair(): Promise<Pair> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const opened = once(server, 'connection')
  const { port } = server.address() as AddressInfo
  const client = new WebSocket(`ws://127.0.0.1:${port}`)
  const [socket] = (await opened) as [WebSocket]
  await once(client, 'open')
  return {
    ...{ link: createLink({ socket, clock: systemClock }), socket, client },
    async [Symbol.asyncDispose]() {
      client.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}

const page: Notice = {
  ...{ event_type: 'refused', timestamp: 1, error_code: 'internal' },
  message: 'x'.repeat(65_536),
}

test('a reader that does not read is cut off, and what waits for it is bounded [F24]', async () => {
  await using pair = await openPair()
  pair.client.pause()
  for (let sent = 0; sent < 4_000 && pair.link.isOpen; sent += 1) {
    pair.link.send(page)
    await new Promise(setImmediate)
  }
  expect(pair.link.isOpen).toBe(false)
  // What may wait, and the frame that was too much.
  expect(pair.socket.bufferedAmount).toBeLessThan(5 * 1_048_576 + 2 * 70_000)
  pair.client.resume()
  const [code] = (await once(pair.client, 'close')) as [number]
  expect(code).toBe(1013)
})

test('an event of any size that a log takes may wait, and others after it', async () => {
  await using pair = await openPair()
  pair.client.pause()
  for (const size of [4 * 1_048_576 - 65_536, 65_536, 65_536])
    pair.link.send({ ...page, message: 'x'.repeat(size) })
  expect(pair.link.isOpen).toBe(true)
})

test('who reads again is waited for, once for all who wait', async () => {
  await using pair = await openPair()
  pair.client.pause()
  while (pair.link.ready() === undefined) {
    pair.link.send(page)
    await new Promise(setImmediate)
  }
  expect(pair.link.ready()).toBe(pair.link.ready())
  pair.client.resume()
  await pair.link.ready()
  await waitFor(() => pair.link.ready() === undefined)
  expect(pair.link.isOpen).toBe(true)
})
