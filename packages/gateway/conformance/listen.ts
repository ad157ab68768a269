import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An upstream under test conditions. */
export interface Fixture extends AsyncDisposable {
  url: string
}

/** Serves until it is disposed of, on a port of its own. */
export async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void,
): Promise<Fixture> {
  const server = createServer(async (request, response) => {
    try {
      await handle(request, response)
    } catch (error) {
      console.error(error)
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
