import type { CredentialsStatus, ServerHealth, ServerInfo } from '@dataagent/schema'
import type { Tone } from '../ui/badge.tsx'

/** How a server fares, as one word for the person who looks at it. */
export type ServerState =
  | { kind: 'sign_in' | 'credentials' | 'error' | 'connecting' | 'connected' | 'idle' | 'disabled' }
  /** Lost, and tried again by itself. */
  | { kind: 'retrying'; at: number }
  /** Definitions wait for somebody who manages the server. */
  | { kind: 'pending'; count: number }

export interface StateFacts {
  /** How the caller's connection fares; asked for where it does not run. */
  health?: ServerHealth | undefined
  credentials?: CredentialsStatus['status'] | undefined
  pending?: number | undefined
}

export function toState(info: ServerInfo, facts: StateFacts = {}): ServerState {
  const { health, credentials, pending = 0 } = facts
  if (info.disabled) return { kind: 'disabled' }
  if (info.status !== 'running' && health?.authorization_url) return { kind: 'sign_in' }
  if (info.status !== 'running' && (credentials === 'needed' || credentials === 'unreadable'))
    return { kind: 'credentials' }
  if (info.status === 'error') {
    const at = health?.retry_at
    return at === undefined ? { kind: 'error' } : { kind: 'retrying', at }
  }
  // What stops and says why is on its way.
  if (info.status === 'stopped' && info.status_message !== undefined) return { kind: 'connecting' }
  if (pending > 0) return { kind: 'pending', count: pending }
  return { kind: info.status === 'running' ? 'connected' : 'idle' }
}

type Kind = ServerState['kind']

export const stateTones: Record<Kind, Tone> = {
  sign_in: 'wait',
  credentials: 'wait',
  error: 'bad',
  retrying: 'wait',
  pending: 'wait',
  connecting: 'info',
  connected: 'good',
  idle: 'plain',
  disabled: 'plain',
}

/** What needs somebody comes first. */
const order: readonly Kind[] = [
  ...(['sign_in', 'credentials', 'error', 'retrying', 'pending'] as const),
  ...(['connecting', 'connected', 'idle', 'disabled'] as const),
]

interface Listed {
  info: ServerInfo
  state: ServerState
}

export function byAttention(a: Listed, b: Listed): number {
  const first = order.indexOf(a.state.kind) - order.indexOf(b.state.kind)
  return first || a.info.name.localeCompare(b.info.name)
}
