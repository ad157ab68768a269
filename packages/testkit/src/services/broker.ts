import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { AppError } from '@dataagent/schema'
import type { ServiceKind } from './service-kind.ts'
import { createSharedServices, type SharedServices } from './shared-services.ts'

/** Where test workers find the broker of their run; global-setup.ts sets it. */
export const brokerVariable = 'DATAAGENT_TESTKIT_BROKER'

export interface Broker extends AsyncDisposable {
  url: string
}

type Answer = { url: string | null } | { error: string }

/**
 * Serves one set of shared services to the processes of a test run, over loopback, to those who
 * know its address.
 */
export async function startBroker(): Promise<Broker> {
  const services = createSharedServices()
  const secret = randomUUID()
  const server = createServer((request, response) => {
    const [, given, kind] = request.url?.split('/') ?? []
    if (given !== secret) return response.writeHead(404).end()
    void answer(services, kind as ServiceKind).then((body) => response.end(JSON.stringify(body)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${secret}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await services[Symbol.asyncDispose]()
    },
  }
}

/** Asks a broker for a service's address. */
export async function askBroker(brokerUrl: string, kind: ServiceKind): Promise<string | undefined> {
  const request = get(`${brokerUrl}/${kind}`, { agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const body = (await json(response)) as Answer
  if ('error' in body) throw new AppError('unavailable', body.error)
  return body.url ?? undefined
}

async function answer(services: SharedServices, kind: ServiceKind): Promise<Answer> {
  try {
    return { url: (await services.url(kind)) ?? null }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
