import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from './echo.ts'

const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405).end()
    return
  }
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    // Spans are taken, and thrown away.
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const tools = Number(searchParams.get('tools'))
    const body = pathname === '/v1/traces' ? '{}' : answer(text, tools)
    if (body === undefined) response.writeHead(202).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
