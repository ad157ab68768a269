import { dirname } from 'node:path'
import type { EngineMeans, EngineSource } from '@dataagent/data'
import { createSecret } from '@dataagent/schema'
import type { Table } from './contract.ts'

/** A turn of others may be longer than processes and connections are kept by default. */
export const engines: EngineMeans = { idleMs: 600_000 }

export function toSource({ kind, at }: Table): EngineSource {
  if (kind === 'duckdb') return { kind: 'files', folder: dirname(at) }
  if (kind === 'sqlite') return { kind, path: at }
  const url = createSecret(at)
  return kind === 'mysql' ? { kind, url } : { kind, url }
}
