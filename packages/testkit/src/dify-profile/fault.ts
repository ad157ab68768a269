import { AppError, type ErrorCode, isAppError } from '@dataagent/schema'

/**
 * How a real Dify would fail: `hangs` for minutes or for ever, `connection` for an answer that says
 * no, `unreachable` for none at all, `authentication` for a 401 that nothing came of, `endpoint`
 * for an SSE stream without one, `invalid` for what its models do not take.
 */
export type DifyFaultKind = keyof typeof codes

const codes = {
  hangs: 'timeout',
  connection: 'upstream_failed',
  unreachable: 'unavailable',
  authentication: 'unauthenticated',
  endpoint: 'upstream_failed',
  invalid: 'invalid_result',
} as const satisfies Record<string, ErrorCode>

/** What a 401 says of where to go on. */
export interface Challenge {
  resource_metadata: string | undefined
  scope: string | undefined
}

export interface FaultData {
  /** The HTTP status or JSON-RPC code that Dify shows. */
  code?: number
  challenge?: Challenge
}

/** An AppError whose `data.kind` is the kind. */
export function fault(kind: DifyFaultKind, message: string, data: FaultData = {}): AppError {
  return new AppError(codes[kind], message, { data: { kind, ...data } })
}

export function isFault(error: unknown, kind: DifyFaultKind): error is AppError {
  return isAppError(error) && error.data?.kind === kind
}

/** Reads the two parameters as Dify does: by expression, wherever they stand. */
function toChallenge(header: string | undefined): Challenge {
  const find = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(header ?? '')?.[1]
  return { resource_metadata: find('resource_metadata'), scope: find('scope') }
}

export function challengeOf(error: AppError): Challenge {
  return (error.data?.challenge as Challenge | undefined) ?? toChallenge(undefined)
}

/** A status that is no success, as Dify reports it. */
export function refusal(status: number, header: string | undefined): AppError {
  const data = { code: status }
  if (status !== 401) return fault('connection', `Failed to connect: code=${status}`, data)
  return fault('authentication', 'Authentication failed: code=401', {
    ...data,
    challenge: toChallenge(header),
  })
}
