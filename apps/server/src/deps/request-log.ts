import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const quiet = new Set(['/api/v1/health', '/api/v1/ready'])

/** One record per answered request. The query is left out: people put secrets there. */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => logAnswer(request, reply))
}

export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.split('?', 1)[0] ?? ''
  const fields = {
    method: request.method,
    path,
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    remote_address: request.ip,
    ...actingFields(request),
  }
  request.log[quiet.has(path) ? 'debug' : 'info'](fields, 'request answered')
}

/** Who acts for another leaves a trace of each request, beside what is audited of it. */
function actingFields({ caller }: FastifyRequest) {
  const { acting_user, api_key, user_id } = caller?.principal ?? {}
  return acting_user && { acting_key: api_key, acting_user, acting_for: user_id }
}
