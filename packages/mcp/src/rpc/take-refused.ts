import { type AppError, isAppError } from '@dataagent/schema/base'
import { protocolError } from '../errors.ts'
import type { BrokenAnswer } from './broken-answer.ts'
import { ownerOfLine } from './line-owner.ts'

/**
 * What becomes of bytes that a reader refused for `cause`: when they are JSON that is not accepted
 * and tell whose answer it is, that call can fail at once. Else a `protocol` error is thrown.
 */
export function takeRefused(bytes: Buffer, cause: unknown): BrokenAnswer {
  const isJson = isAppError(cause) && cause.code === 'invalid_request'
  if (!isJson) throw protocolError('the server sent an answer that is not JSON', cause)
  const owner = ownerOfLine(bytes)
  const reason = `JSON that is not accepted (${toReason(cause)})`
  if (owner.kind !== 'answer') throw protocolError(`the server sent ${reason}`, cause)
  return { kind: 'broken', id: owner.id, found: reason }
}

/** Without the path to it, which is the server's text and may be long. */
function toReason({ message }: AppError): string {
  return message.slice(Math.max(0, message.lastIndexOf('expected ')))
}
