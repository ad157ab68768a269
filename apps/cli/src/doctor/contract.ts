import type { Machine } from '../app/index.ts'
import type { Link } from '../link/index.ts'
import type { Theme } from '../ui/index.ts'
import type { Text } from '../words/index.ts'

export type CheckStatus = 'pass' | 'warn' | 'fail'

/** In the order in which they are told. */
export const checkNames = [
  ...(['node', 'terminal', 'encoding', 'colours', 'storage', 'log'] as const),
  ...(['models', 'platform', 'servers', 'clock', 'proxy'] as const),
] as const
export type CheckName = (typeof checkNames)[number]

/** What was found, and where it is not as it should be, what to do. */
export interface Check {
  name: CheckName
  status: CheckStatus
  text: Text
  todo?: Text | undefined
}

/** As bad as the worst of its checks. */
export interface DoctorReport {
  status: CheckStatus
  checks: readonly Check[]
}

export interface DoctorNeeds extends Omit<Machine, 'isAttended'> {
  columns: number
  rows: number
  theme: Pick<Theme, 'hasColor'>
  /** The platform, which may still be starting. */
  link(): Promise<Link>
  signal: AbortSignal
  /** Default: that of this process. */
  nodeVersion?: string | undefined
  /** How long the platform is waited for. Default 30 s. */
  patienceMs?: number | undefined
}
