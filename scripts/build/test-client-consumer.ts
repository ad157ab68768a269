// A program of somebody who has installed the client: it asks a server, here a small one.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createClient, isClientError } from '@dataagent/client'

const server = createServer(({ url, headers }, response) => {
  const isKnown = url === '/api/v1/models' && headers['x-api-key'] === 'k1'
  const models = [{ model: 'demo:demo', provider_id: 'demo', name: 'Demo', is_default: true }]
  const error = { error_code: 'not_found', message: 'None here', request_id: 'r1' }
  response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(isKnown ? { models } : error))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const port = typeof address === 'object' ? address?.port : undefined
const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k1' })

const { models } = await client.models.list()
const names: string[] = models.map(({ name }) => name)
console.log(names.join())
await client.sessions.get('none').catch((error: unknown) => {
  console.log(isClientError(error, 'not_found') && error.status)
})
server.close()

/** Compiles only where the types of the package are there. */
export function misuse(): void {
  // @ts-expect-error: a server has an address
  createClient({ apiKey: 'k1' })
}
