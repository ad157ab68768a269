import { connect, type Socket } from 'node:net'
import { longCount, mutateBytes, playMutated, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyOf } from '../testing/test-platform.ts'
import { openTestSocket, type TestSocket } from '../testing/test-socket.ts'
import { type StrictServer, startStrictServer } from '../testing/test-strict-server.ts'

let server: StrictServer
let session_id: string
beforeAll(async () => {
  server = await startStrictServer()
  const { body } = await server.ask('POST', '/sessions', { json: {} })
  session_id = String(body.session_id)
})
afterAll(() => server[Symbol.asyncDispose]())

const headers = { 'x-api-key': keyOf('ada') }
const open = () => openTestSocket({ url: server.url, session_id, headers })

/** It answers one that behaves. */
async function expectServed(): Promise<void> {
  using socket = open()
  await socket.next('connected')
  socket.send('ping')
  await socket.next('pong')
  expect(server.faults()).toEqual([])
}

const messages = [
  { type: 'ping' },
  { type: 'resume', payload: { seq: 0, offset: 0 } },
  { type: 'cancel' },
  { type: 'chat', payload: { message: 'Hello' } },
  { type: 'authenticate', payload: { api_key: keyOf('ada') } },
  { type: 'hitl_decision', payload: { approval_id: 'a', decision: { type: 'approve' } } },
].map((message) => JSON.stringify(message))

/** A client may send so many at once; then it comes again. */
const perSocket = 150
const texts = longCount(120, 20_000)

test(`each of ${texts} mutated messages is taken or refused, and the socket still answers [T16, T17]`, async () => {
  let socket: TestSocket | undefined
  let sent = 0
  await playMutated({ samples: messages, count: texts, caseMs: 10_000 }, async (input) => {
    if (!socket || sent === perSocket || socket.socket.readyState !== socket.socket.OPEN) {
      socket?.cut()
      socket = open()
      sent = 0
      await socket.next('connected')
    }
    sent += 1
    const from = socket.messages.length
    const mayBeBinary = Buffer.from(input.toString()).equals(input)
    socket.sendRaw(mayBeBinary ? input.toString() : input)
    socket.send('ping')
    const { closed } = socket
    const answered = socket.next('pong', from).then(
      () => undefined,
      () => closed,
    )
    const end = await answered
    if (end) expect([1003, 1007, 1008, 1009, 4401]).toContain(end.code)
    for (const message of socket.messages.slice(from)) {
      expect(message).not.toMatchObject({ error_code: 'internal' })
    }
    socket.messages.length = 0
  })
  socket?.cut()
  await expectServed()
}, 3_600_000)

const frames = longCount(50, 10_000)

test(`each of ${frames} streams of mutated frames ends its socket alone or is read [T45]`, async () => {
  const samples = messages.map((text) => Buffer.concat([toFrame(0x1, text), toFrame(0x9, 'hi')]))
  samples.push(Buffer.concat([toFrame(0x1, '{"type":', false), toFrame(0x0, '"ping"}')]))
  samples.push(Buffer.concat([toFrame(0x2, 'bytes'), toFrame(0x8, '\u0003\u00e8')]))
  let closed = 0
  const mutate = (sample: Buffer, random: Parameters<typeof mutateBytes>[1], other: Buffer) =>
    mutateBytes(sample, random, other)
  await playMutated({ samples, count: frames, mutate, caseMs: 10_000 }, async (input) => {
    const wire = await openWire()
    wire.write(input)
    // A client that says no more goes: what it began is not waited for.
    wire.end()
    await waitFor(() => wire.closed || wire.readableEnded, { timeoutMs: 8_000, what: 'its end' })
    closed += 1
    wire.destroy()
  })
  expect(closed).toBe(frames)
  await expectServed()
}, 3_600_000)

/** A connection after its upgrade. */
async function openWire(): Promise<Socket> {
  const { hostname, port } = new URL(server.url)
  const wire = connect(Number(port), hostname)
  wire.on('error', () => {})
  let head = ''
  wire.on('data', (chunk) => (head += chunk.toString('latin1')))
  wire.write(
    [
      `GET /ws/chat/${session_id} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
      ...['Sec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==', `x-api-key: ${keyOf('ada')}`, '', ''],
    ].join('\r\n'),
  )
  await waitFor(() => head.includes('"connected"') || wire.closed, { what: 'an upgrade' })
  expect(head).toContain(' 101 ')
  return wire
}

/** As a client sends it: masked, here with zeros. */
function toFrame(opcode: number, text: string, isLast = true): Buffer {
  const payload = Buffer.from(text)
  const head = [(isLast ? 0x80 : 0) | opcode]
  if (payload.length < 126) head.push(0x80 | payload.length)
  else head.push(0x80 | 126, payload.length >> 8, payload.length & 0xff)
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload])
}
