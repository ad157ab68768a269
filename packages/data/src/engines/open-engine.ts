import { availableParallelism, tmpdir } from 'node:os'
import { type Clock, systemClock } from '@dataagent/guard'
import type { Engine } from './contract.ts'
import type { AddressCheck } from './dial.ts'
import { createMysqlEngine } from './mysql/mysql-engine.ts'
import { createPostgresEngine } from './postgres/postgres-engine.ts'
import type { RunnerLimits } from './runner/messages.ts'
import { createRunnerBudget, type RunnerBudget } from './runner/runner-budget.ts'
import { createRunnerEngine } from './runner/runner-engine.ts'
import { type EngineSource, toServer } from './source.ts'

export interface EngineMeans {
  /** Asked for every address before it is connected to; throws to refuse. Default: all are. */
  checkAddress?: AddressCheck
  /** Shared by the engines of a process. Default: as many as `most`. */
  budget?: RunnerBudget
  /** Queries at once of one source; others wait. Default 4. */
  most?: number
  /** How long a process or a connection is kept for the next query. Default 60 s. */
  idleMs?: number
  /** Default 60 s. */
  describeMs?: number
  limits?: Partial<RunnerLimits>
  /** Where processes that ask files may write what does not fit their memory. */
  temporaryRoot?: string
  /** Of the processes that ask files. Default `preferred`. */
  sandbox?: 'preferred' | 'required' | 'off'
  clock?: Clock
}

const mebibyte = 1024 * 1024

const defaultLimits: RunnerLimits = {
  memoryBytes: 512 * mebibyte,
  threads: Math.min(4, availableParallelism()),
  spillBytes: 2048 * mebibyte,
  valueBytes: 4 * mebibyte,
}

/** Opens a source for reading. Nothing is connected or started before it is asked. */
export function openEngine(source: EngineSource, means: EngineMeans = {}): Engine {
  const { most = 4, idleMs = 60_000, describeMs = 60_000, clock = systemClock } = means
  const limits = { ...defaultLimits, ...means.limits }
  const shared = { most, idleMs, describeMs, clock }
  if (source.kind === 'mysql' || source.kind === 'postgres') {
    const { valueBytes } = limits
    const server = toServer(source.kind, source)
    const needs = { ...shared, server, valueBytes, checkAddress: means.checkAddress }
    return source.kind === 'mysql' ? createMysqlEngine(needs) : createPostgresEngine(needs)
  }
  const { budget = createRunnerBudget({ most }), sandbox = 'preferred' } = means
  const temporaryRoot = means.temporaryRoot ?? tmpdir()
  return createRunnerEngine({ ...shared, source, limits, sandbox, budget, temporaryRoot })
}
