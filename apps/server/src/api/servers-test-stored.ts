import { createMasker } from '@dataagent/guard'
import {
  AppError,
  type ConnectionTestResult,
  connectionTestResultSchema,
  id,
  type ServerConfig,
} from '@dataagent/schema'
import { z } from 'zod'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { findToRenew } from './servers-connection.ts'
import { createTestsAtOnce } from './tests-at-once.ts'

/** A test of a server as it is stored: its secrets never leave the server for that. */
export function storedTestRoutes(platform: GetPlatform): Route[] {
  const inTurn = createTestsAtOnce()
  return [
    defineRoute({
      ...{ method: 'POST', path: '/mcp-servers/:server_id/test', tag: 'servers', access: 'user' },
      summary: 'Connects to a stored server beside its connection, and says how far it came.',
      isLong: true,
      params: z.strictObject({ server_id: id }),
      answer: connectionTestResultSchema,
      async handle({ principal, params: { server_id }, signal }) {
        const { hub } = platform()
        const server = await findToRenew(platform(), principal, server_id)
        const resolved = await hub.servers.resolveFor(server, principal.user_id)
        if (resolved.status === 'broken') throw new AppError('invalid_request', resolved.message)
        if (resolved.status === 'needs_credential') {
          const message = 'this server needs your own credentials: set them, then test it again'
          throw new AppError('invalid_request', message)
        }
        const tested = { ...server, config: resolved.config }
        const result = await inTurn(principal, () => hub.upstreams.test(tested, { signal }))
        return withoutSecrets(result, resolved.config)
      },
    }),
  ]
}

/** Who tests it need not be who has set its secrets: what the server says of them is taken out. */
function withoutSecrets(result: ConnectionTestResult, config: ServerConfig): ConnectionTestResult {
  const { maskText } = createMasker({ values: secretsIn(config) })
  const steps = result.steps.map(({ message, ...step }) =>
    message === undefined ? step : { ...step, message: maskText(message) },
  )
  return { ...result, steps, ...(result.log && { log: result.log.map(maskText) }) }
}

/** Also without the scheme that stands before a token. */
function secretsIn(config: ServerConfig): string[] {
  const sent = config.transport === 'stdio' ? config.env : { ...config.headers, p: config.proxy }
  const values = Object.values(sent).flatMap((secret) => secret?.reveal() ?? [])
  return values.flatMap((value) => [value, ...value.split(/\s+/).slice(1)])
}
