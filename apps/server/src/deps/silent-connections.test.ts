import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createTestCertificate } from '@dataagent/testkit'
import { type FastifyInstance, fastify } from 'fastify'
import { expect, test } from 'vitest'
import { endSilentConnections } from './silent-connections.ts'

const host = '127.0.0.1'

/** Resolves once the server has it. */
async function openAt(port: number, isTls: boolean, server: FastifyInstance['server']) {
  const taken = once(server, isTls ? 'secureConnection' : 'connection')
  const socket: Socket = isTls
    ? connectTls({ port, host, rejectUnauthorized: false })
    : connect(port, host)
  socket.on('error', () => {})
  await taken
  return socket
}

test.each([
  ['plain', null],
  ['TLS', createTestCertificate('localhost')],
] as const)('over %s a server that closes waits for answers alone', async (_name, https) => {
  const app = fastify({ https } as object)
  endSilentConnections(app)
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  app.get('/slow', async () => {
    begun.resolve()
    await release.promise
    return 'done'
  })
  const { port } = new URL(await app.listen({ port: 0, host }))
  const silent = await openAt(Number(port), https !== null, app.server)
  const busy = await openAt(Number(port), https !== null, app.server)
  busy.write('GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  await begun.promise

  const closed = app.close()
  await once(silent.resume(), 'close')
  release.resolve()
  expect(String(await busy.setEncoding('utf8').toArray())).toContain('done')
  await closed
})
