import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '@dataagent/guard'
import { expect, onTestFinished, test } from 'vitest'
import { openEventStream } from './event-stream.ts'

const mebi = 1024 * 1024

/** A stream, and its client, which reads nothing yet. */
async function openStream() {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const asked = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  const stream = openEventStream({ response, clock: systemClock })
  const [client] = (await once(asked, 'response')) as [IncomingMessage]
  return { stream, response, client }
}

test('what a server tells is left out where the client does not keep up, and answers come [A6.2]', async () => {
  const { stream, response, client } = await openStream()
  for (let n = 0; n < 3; n += 1) stream.send('n'.repeat(9 * mebi), 'notice')
  for (let n = 0; n < 200; n += 1) stream.send('n'.repeat(100_000), 'notice')
  expect(response.writableLength).toBeLessThan(2 * mebi)
  stream.send('a'.repeat(3 * mebi))
  stream.send('late', 'notice')
  stream.send('answer')
  expect(response.destroyed).toBe(false)
  stream.end()
  const said = (await client.setEncoding('utf8').toArray()).join('')
  expect(said).toContain(`data: ${'n'.repeat(100_000)}\n\n`)
  expect(said).not.toContain('late')
  expect(said.endsWith('event: message\ndata: answer\n\n')).toBe(true)
})

test('a client that takes none of its answers is let go [E5.2]', async () => {
  const { stream, response } = await openStream()
  for (let n = 0; n < 40 && !response.destroyed; n += 1) stream.send('a'.repeat(mebi))
  expect(response.destroyed).toBe(true)
})
