import { McpError } from '../errors.ts'
import type { ConnectionState } from './contract.ts'

/** What a call fails with at once while the connection is not ready. Nothing was sent. */
export function unreachableError(name: string, state: ConnectionState): McpError {
  const error = 'error' in state ? state.error : undefined
  return new McpError({
    ...kindOf(state),
    message: `mcp: server "${name}" ${describe(state)}`,
    data: { server: name, status: state.status, ...hintOf(state) },
    cause: error,
  })
}

function kindOf(state: ConnectionState) {
  const { status } = state
  switch (status) {
    case 'needs_sign_in':
      return { kind: 'sign_in', code: 'unauthenticated' } as const
    case 'closed':
      return { kind: 'closed', code: 'unavailable' } as const
    default: {
      const retryable = status !== 'failed' && !isUnopened(state)
      return { kind: 'unavailable', code: 'unavailable', retryable } as const
    }
  }
}

function isUnopened(state: ConnectionState): boolean {
  return state.status === 'connecting' && state.attempt === 0
}

function hintOf(state: ConnectionState): Record<string, unknown> {
  if (state.status === 'backing_off') return { retry_at: state.retryAt }
  const { authorizationUrl } = state.status === 'needs_sign_in' ? state : {}
  return authorizationUrl === undefined ? {} : { authorizationUrl }
}

function describe(state: ConnectionState): string {
  switch (state.status) {
    case 'backing_off':
      return `is away and will be tried again: ${state.error.message}`
    case 'needs_sign_in':
      return 'needs a person to sign in'
    case 'failed':
      return `is not tried again until asked for: ${state.error.message}`
    case 'closed':
      return 'is disconnected'
    default:
      return isUnopened(state) ? 'was not opened: call open() first' : 'is being connected'
  }
}
