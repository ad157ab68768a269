import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode, ErrorResponse } from '@dataagent/schema'
import type { Logger } from '../log/index.ts'

type Answer = [status: number, error_code: ErrorCode, message: string]

const answers: Record<string, Answer> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'too_large', 'The request headers are too large.'],
}
const malformed: Answer = [400, 'invalid_request', 'This is not a valid HTTP request.']

/** Answers what never became a request: broken HTTP, headers that are too large or too late. */
export function createClientErrorHandler(log: Logger) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const [status, error_code, message] = answers[error.code ?? ''] ?? malformed
    const id = randomUUID()
    const body: ErrorResponse = { error_code, message }
    log.debug({ request_id: id, status, reason: error.code }, 'connection refused')
    socket.end(toHttp(status, id, JSON.stringify(body)))
  }
}

function toHttp(status: number, id: string, body: string): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}
