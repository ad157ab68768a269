import type { AddressInfo } from 'node:net'
import cookie from '@fastify/cookie'
import { type FastifyInstance, fastify } from 'fastify'
import { addGate, callerOf, sendError } from '../deps/index.ts'
import { createIdentity, type Identity } from './identity.ts'
import type { Place } from './test-identity.ts'

export interface IdentityServer extends AsyncDisposable {
  app: FastifyInstance
  identity: Identity
  url: string
  ask(path: string, headers?: Record<string, string>, method?: string): Promise<Response>
}

/** A server with the gate, a route that tells the caller, and one that signs a browser in. */
export async function startIdentityServer(place: Place): Promise<IdentityServer> {
  const { config, clock } = place
  const identity = createIdentity({ config, clock, stores: () => place })
  const app = fastify({ trustProxy: 'loopback' })
  app.setErrorHandler(sendError)
  await app.register(cookie)
  addGate(app, identity.authenticate)
  const who = { config: { access: 'member' } } as const
  app.get('/who', who, async (request) => callerOf(request))
  app.post('/who', who, async (request) => callerOf(request))
  app.post('/in', { config: { access: 'public' } }, async (request, reply) => {
    const key = String(request.headers['x-key'])
    return identity.signInByKey(key, request, reply)
  })
  app.post('/out', who, async (request, reply) => {
    await identity.signOut(request, reply)
    return {}
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return {
    ...{ app, identity, url },
    ask: (path, headers = {}, method = 'GET') => fetch(`${url}${path}`, { method, headers }),
    [Symbol.asyncDispose]: async () => void (await app.close()),
  }
}

/** The cookie that an answer sets, as a browser sends it back. */
export function cookieOf(response: Response): string {
  return response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
}
