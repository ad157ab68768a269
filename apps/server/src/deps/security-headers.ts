import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/index.ts'

/** For JSON: nothing may be loaded, framed or kept. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'"

/** For pages: scripts, styles and calls of our own origin only. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export function addSecurityHeaders(app: FastifyInstance, config: Config): void {
  const headers = securityHeaders(config)
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
}

/** What every answer carries; a page puts its own policy over it. */
export function securityHeaders({ public_url, tls_cert }: Config): Record<string, string> {
  return {
    'content-security-policy': apiPolicy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cache-control': 'no-store',
    ...((public_url?.startsWith('https:') || tls_cert) && {
      'strict-transport-security': 'max-age=31536000',
    }),
  }
}
