import { isMcpError, McpError } from '@dataagent/mcp'
import type { RefusedWish } from '../links/wishes.ts'

/** An McpError as plain JSON, without its cause. */
export type WireError = Pick<
  McpError,
  'kind' | 'code' | 'message' | 'retryable' | 'mayHaveRun' | 'statusCode' | 'bodyPreview' | 'rpc'
> & { data?: Record<string, unknown> | undefined }

export function toWireError(error: unknown): WireError {
  if (!isMcpError(error)) return internalError
  const { kind, code, message, retryable, mayHaveRun, statusCode, bodyPreview, rpc, data } = error
  return { kind, code, message, retryable, mayHaveRun, statusCode, bodyPreview, rpc, data }
}

/** Of what is no McpError nothing is told. */
const internalError: WireError = {
  kind: 'protocol',
  code: 'internal',
  message: 'The process that holds the connection failed.',
  retryable: false,
  mayHaveRun: true,
  statusCode: undefined,
  bodyPreview: undefined,
  rpc: undefined,
}

export function fromWireError({ data, ...details }: WireError): McpError {
  return new McpError({ ...details, ...(data !== undefined && { data }) })
}

export interface WireRefusal {
  wish: string
  error: WireError
}

export function toWireRefusal({ wish, error }: RefusedWish): WireRefusal {
  return { wish, error: toWireError(error) }
}

export function fromWireRefusal({ wish, error }: WireRefusal): RefusedWish {
  return { wish, error: fromWireError(error) }
}
