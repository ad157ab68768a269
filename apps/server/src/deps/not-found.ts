import { AppError } from '@dataagent/schema'
import type { FastifyInstance } from 'fastify'

/**
 * Answers paths that no route has (404) and methods that a known path does not take (405, with
 * Allow).
 */
export function addNotFound(app: FastifyInstance): void {
  const routes: { pattern: RegExp; methods: string[] }[] = []

  app.addHook('onRoute', ({ url, method }) => {
    // The catch-all serves pages: it says nothing about which methods an API path takes.
    if (url !== '/*') routes.push({ pattern: toPattern(url), methods: [method].flat() })
  })

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const allowed = routes.filter(({ pattern }) => pattern.test(path)).flatMap((r) => r.methods)
    if (allowed.length === 0)
      throw new AppError('not_found', `There is nothing at ${path.slice(0, 200)}.`)
    reply.header('allow', [...new Set(allowed)].join(', '))
    throw new AppError('method_not_allowed', `${request.method} is not possible here.`)
  })
}

function toPattern(url: string): RegExp {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : escapePart(part)))
  return new RegExp(`^${parts.join('/')}$`)
}

function escapePart(part: string): string {
  return part === '*' ? '.*' : part.replace(/[^\w-]/g, '\\$&')
}
