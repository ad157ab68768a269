import { AppError, isAppError, parseJson } from '@dataagent/schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Reads JSON bodies with our own reader: bounded depth, no keys that reach a prototype. Routes that
 * read their body themselves get it unread, whatever it is said to be.
 */
export function addBodies(app: FastifyInstance, { limit }: { limit: number }): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    // Whatever was sent to where nothing is: that is what the caller is told.
    if (request.is404 || request.routeOptions.config.takesRaw) return undefined
    if (!isJson(request.headers['content-type'])) throw notJson()
    const text = await readText(request, limit)
    if (text === '') throw new AppError('parse_error', 'The body is empty.')
    return parseBody(text)
  })
}

function parseBody(text: string): unknown {
  try {
    return parseJson(text, { what: 'body' })
  } catch (cause) {
    if (!isAppError(cause, 'parse_error')) throw cause
    throw new AppError('parse_error', 'The body is not JSON.', { cause })
  }
}

function isJson(type = ''): boolean {
  return /^application\/json\s*(;|$)/i.test(type)
}

async function readText({ raw }: FastifyRequest, limit: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  // The connection stays: whoever sends too much is told so.
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length
    if (size > limit) throw tooLarge()
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString()
}

/** For a body that is said to be something else. */
export function notJson(): AppError {
  const message = 'Send the body as application/json, and say so in Content-Type.'
  return new AppError('unsupported_media_type', message)
}

function tooLarge(): AppError {
  return new AppError('too_large', 'The body is larger than this server takes.')
}
