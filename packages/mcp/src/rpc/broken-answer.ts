import { type McpError, protocolError } from '../errors.ts'
import type { RequestId } from './messages.ts'

/** An answer by its id that tells neither what came of the request nor what went wrong. */
export interface BrokenAnswer {
  kind: 'broken'
  id: RequestId
  /** What it is instead; follows "the server answered with". */
  found: string
}

/** What the call fails with that was answered so. */
export function toBrokenError({ found }: BrokenAnswer, method: string): McpError {
  return protocolError(`the server answered "${method}" with ${found}`)
}
