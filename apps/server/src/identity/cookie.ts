import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/index.ts'

/** What of a request says which cookies came with it. */
export type CookieCarrier = Pick<FastifyRequest, 'protocol' | 'host' | 'cookies'>

/** A cookie of ours: of this host alone, and out of the reach of scripts. */
export interface Cookie {
  read(request: CookieCarrier): string | undefined
  set(request: FastifyRequest, reply: FastifyReply, value: string): void
  clear(request: FastifyRequest, reply: FastifyReply): void
}

export interface CookieOptions {
  name: string
  sameSite: 'strict' | 'lax'
  lifetimeSeconds: number
  config: Pick<Config, 'public_url'>
}

/**
 * Over https it is Secure and has the prefix `__Host-`, without which it is not read there: a
 * neighbouring host can set any other. Over plain http it has neither.
 */
export function createCookie({ name, sameSite, lifetimeSeconds, config }: CookieOptions): Cookie {
  const publicUrl = config.public_url === undefined ? undefined : new URL(config.public_url)

  function isSecure({ protocol, host }: CookieCarrier): boolean {
    return protocol === 'https' || (publicUrl?.protocol === 'https:' && publicUrl.host === host)
  }

  function nameFor(request: CookieCarrier): string {
    return isSecure(request) ? `__Host-${name}` : name
  }

  function send(request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void {
    const options = { httpOnly: true, sameSite, path: '/', secure: isSecure(request), maxAge }
    reply.setCookie(nameFor(request), value, options)
  }

  return {
    read: (request) => request.cookies[nameFor(request)],
    set: (request, reply, value) => send(request, reply, value, lifetimeSeconds),
    clear: (request, reply) => send(request, reply, '', 0),
  }
}
