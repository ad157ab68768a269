import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { longCount, playMutated } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { isMcpError } from '../errors.ts'
import { connectBy } from './test-connect.ts'
import { longTestMs } from './test-outcomes.ts'

/** `ID` stands for the id of the request. */
const call = '{"jsonrpc":"2.0","id":ID,"result":'
const samples = [
  `${call}{"content":[{"type":"text","text":"hi"}],"isError":false,"structuredContent":{"a":[1]}}}`,
  `${call}{"content":[{"type":"image","data":"AAAA","mimeType":"image/png"}],"_meta":{"a":1}}}`,
  `${call}{"content":[{"type":"resource","resource":{"uri":"file:///a","text":"b"}}]}}`,
  '{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"no","data":{"a":1}}}',
  '[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}]',
]
const count = longCount(300, 200_000)

test.each(['application/json', 'text/event-stream'])(
  `each of ${count} mutated answers as %s gives a result or a failure that is named, and the next call is well [F3, F4, T16, T17]`,
  async (type) => {
    await using hostile = await startAnswering(type)
    await using rig = await connectBy({ name: 'bad', transport: 'http', url: hostile.url })
    const ends = { result: 0, failure: 0 }
    await playMutated({ samples, count, caseMs: 10_000 }, async (input) => {
      hostile.next = input
      try {
        const { content } = await rig.connection.callTool('bad', {}, { timeoutMs: 5_000 })
        expect(Array.isArray(content)).toBe(true)
        ends.result += 1
      } catch (error) {
        if (!isMcpError(error)) throw error
        expect(error.message.length).toBeLessThan(5_000)
        ends.failure += 1
      }
      expect(await rig.call('good')).toBe('well')
    })
    expect(ends.result).toBeGreaterThan(count / 50)
    expect(ends.failure).toBeGreaterThan(count / 10)
  },
  longTestMs,
)

interface Answering extends AsyncDisposable {
  url: string
  /** What the next call of `bad` is answered with. */
  next: Buffer
}

async function startAnswering(type: string): Promise<Answering> {
  const server = createServer((request, response) => void answer(request, response))
  const answering: Answering = {
    ...{ url: '', next: Buffer.alloc(0) },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method, params } = JSON.parse(body)
    if (id === undefined) return void response.writeHead(202).end()
    const isBad = method === 'tools/call' && params.name === 'bad'
    const sent = isBad
      ? Buffer.from(answering.next.toString('latin1').replaceAll('ID', String(id)), 'latin1')
      : JSON.stringify({ jsonrpc: '2.0', id, result: toResult(method) })
    response.writeHead(200, { 'content-type': type })
    if (type === 'application/json') response.end(sent)
    else
      response.end(Buffer.concat([Buffer.from('data: '), Buffer.from(sent), Buffer.from('\n\n')]))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  answering.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  return answering
}

function toResult(method: string) {
  if (method === 'tools/call') return { content: [{ type: 'text', text: 'well' }] }
  if (method === 'tools/list') {
    return { tools: ['good', 'bad'].map((name) => ({ name, inputSchema: { type: 'object' } })) }
  }
  const serverInfo = { name: 'answering', version: '1' }
  return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
}
