import { randomBytes } from 'node:crypto'
import { createMemoryKv } from '@dataagent/store/kv'
import { createKeyring, createVault, parseMasterKeys } from '@dataagent/store/secrets'
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import type { Caller } from '../identity/index.ts'
import { addRoutes, type Once } from './add-routes.ts'
import { sendError } from './error-response.ts'
import { addGate } from './gate.ts'
import { addBodies } from './json-body.ts'
import { createOnce } from './once.ts'
import type { Route } from './route.ts'

/** A server of these routes alone. `x-user` says who calls; `x-role`, `x-key`, `x-acting` how. */
export async function serveRoutes(routes: Route[], once?: Once): Promise<FastifyInstance> {
  const app = fastify()
  app.setErrorHandler(sendError)
  addBodies(app, { limit: 1_048_576 })
  addGate(app, async ({ headers }) => callerOf(headers))
  addRoutes(app, routes, { once: once ?? ((_call, _route, work) => work()) })
  await app.ready()
  return app
}

function callerOf(headers: FastifyRequest['headers']): Caller {
  const said = (name: string) => headers[name]?.toString()
  const role = said('x-role') === 'admin' ? 'admin' : 'user'
  const how = { api_key: said('x-key'), acting_user: said('x-acting') }
  const principal = { tenant_id: 'acme', user_id: said('x-user') ?? 'ada', role, ...how } as const
  return { principal, via: 'api_key' }
}

/** Real stores in memory. */
export function createTestStores() {
  const keyring = createKeyring(parseMasterKeys(randomBytes(32).toString('base64')))
  return { kv: createMemoryKv(), vault: createVault({ keyring }) }
}

export function createTestOnce(stores = createTestStores()): Once {
  return createOnce({ stores: () => stores })
}
