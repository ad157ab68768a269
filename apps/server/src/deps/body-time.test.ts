import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@dataagent/guard'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { addBodyTime } from './body-time.ts'

test('a late body cuts off no answer that was asked for before it', async () => {
  const app = fastify()
  addBodyTime(app, { clock: systemClock, withinMs: 200 })
  app.get('/slow', async () => {
    await sleep(1_000)
    return 'at last'
  })
  app.post('/', async () => 'read')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk))
  const late = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{'
  socket.write(`GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n${late}`)
  await new Promise((resolve) => socket.once('close', resolve))
  expect(answer).toMatch(/^HTTP\/1.1 200 .*at last.*HTTP\/1.1 4\d\d /s)
  await app.close()
})
