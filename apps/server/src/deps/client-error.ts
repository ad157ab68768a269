import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '@dataagent/guard'
import type { ErrorCode, ErrorResponse } from '@dataagent/schema'
import type { Logger } from '../log/index.ts'

type Answer = [status: number, error_code: ErrorCode, message: string]

const late: Answer = [408, 'timeout', 'The request did not arrive in time.']
const answers: Record<string, Answer> = {
  ERR_HTTP_REQUEST_TIMEOUT: late,
  HPE_HEADER_OVERFLOW: [431, 'too_large', 'The request headers are too large.'],
}
const lingerMs = 500
const malformed: Answer = [400, 'invalid_request', 'This is not a valid HTTP request.']

/** Answers what never became a request: broken HTTP, headers that are too large or too late. */
export function createClientErrorHandler(log: Logger) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const answer = answers[error.code ?? ''] ?? malformed
    const id = randomUUID()
    log.debug({ request_id: id, status: answer[0], reason: error.code }, 'connection refused')
    socket.end(toHttp(answer, id))
  }
}

export interface EndLateOptions {
  clock: Clock
  isAnswered: boolean
}

/** Ends a connection whose request does not arrive; says so where nothing was answered yet. */
export function endLate(socket: Socket, { clock, isAnswered }: EndLateOptions): void {
  if (!isAnswered) socket.end(toHttp(late, randomUUID()))
  // Closed at once, with some of the request unread, an answer would be lost on its way.
  const cancel = clock.after(lingerMs, () => socket.destroy())
  socket.once('close', cancel)
}

function toHttp([status, error_code, message]: Answer, id: string): string {
  const body = JSON.stringify({ error_code, message } satisfies ErrorResponse)
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
