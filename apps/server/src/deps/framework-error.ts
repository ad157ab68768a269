import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/index.ts'
import { sendError } from './error-response.ts'
import { createOriginCheck } from './origin-check.ts'
import { logAnswer } from './request-log.ts'
import { securityHeaders } from './security-headers.ts'

/**
 * Answers what fails before any hook is run, such as a URL that cannot be decoded: checked, logged
 * and with the same headers as every other answer.
 */
export function createFrameworkErrorHandler(config: Config) {
  const headers = securityHeaders(config)
  const check = createOriginCheck(config)

  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-request-id', request.id).headers(headers)
    reply.raw.once('finish', () => logAnswer(request, reply))
    try {
      check(request)
    } catch (refusal) {
      return sendError(refusal, request, reply)
    }
    return sendError(error, request, reply)
  }
}
