import { resolve } from 'node:path'
import type { Load } from '@dataagent/schema'
import { isAddress, withoutPassword } from '../../args/index.ts'
import type { ProgramCall, ProgramContext } from '../contract.ts'
import { UsageError } from './files.ts'
import { type Filter, toFilters } from './filter.ts'
import { words } from './words.ts'

export const formats = ['json', 'junit', 'html'] as const
export type Format = (typeof formats)[number]

/** What `dataagent harbor run` was asked to do. */
export interface HarborRequest {
  file: string
  url: string | undefined
  load: Load
  attempts: number
  transport: 'rest' | 'ws'
  approve: 'never' | 'policy' | 'auto'
  maxSeconds: number
  filters: Filter[]
  out: string | undefined
  /** `last`: the newest that was not ended. */
  resume: { kind: 'last' } | { kind: 'folder'; folder: string } | undefined
  baseline: string | undefined
  formats: ReadonlySet<Format>
  /** A share of 1. */
  failUnder: number | undefined
  /** The source of data that expected queries are run on. */
  sqlSource: string | undefined
  isQuiet: boolean
  isJson: boolean
}

/** Reads the flags. Throws a `UsageError`. */
export function toRequest({ words: [file = ''], flags }: ProgramCall, context: ProgramContext) {
  const { options, cwd } = context
  const last = (name: string) => flags.get(name)?.at(-1)
  const number = (name: string, limits: Limits) => toNumber(name, last(name), limits)
  const out = last('out')
  const url = last('url')
  if (url !== undefined && !isAddress(url)) throw new UsageError(words.badUrl(withoutPassword(url)))
  const request: HarborRequest = {
    ...{ file, url, load: toLoad(number) },
    attempts: number('attempts', { least: 1, most: 10_000, isWhole: true }) ?? 1,
    transport: (last('transport') ?? 'rest') as HarborRequest['transport'],
    approve: (last('approve') ?? 'never') as HarborRequest['approve'],
    maxSeconds: number('timeout', { above: 0, most: 86_400 }) ?? 120,
    filters: toFilters(flags.get('filter') ?? []),
    out: out === undefined ? undefined : resolve(cwd, out),
    resume: toResume(options.resume, cwd),
    baseline: last('baseline'),
    formats: toFormats(flags.get('format') ?? []),
    failUnder: toShare(number('fail-under', { least: 0, most: 100 })),
    sqlSource: last('sql-source'),
    ...{ isQuiet: flags.has('quiet'), isJson: flags.has('json') },
  }
  if (request.resume?.kind === 'folder' && out !== undefined) throw new UsageError(words.twoFolders)
  return request
}

type Numbers = (name: string, limits: Limits) => number | undefined

function toLoad(number: Numbers): Load {
  const seconds = { least: 0, most: 86_400 }
  const common = {
    ramp_seconds: number('ramp', seconds) ?? 0,
    warm_up_seconds: number('warm-up', seconds) ?? 0,
    duration_seconds: number('duration', { above: 0, most: 7 * 86_400 }) ?? null,
  }
  const rate = number('rate', { above: 0, most: 10_000 })
  const concurrency = number('concurrency', { least: 1, most: 10_000, isWhole: true })
  if (rate === undefined) return { mode: 'closed', concurrency: concurrency ?? 4, ...common }
  return { mode: 'rate', rate, concurrency: concurrency ?? 100, ...common }
}

interface Limits {
  least?: number
  above?: number
  most: number
  isWhole?: boolean
}

function toNumber(name: string, said: string | undefined, limits: Limits): number | undefined {
  if (said === undefined) return undefined
  const { least = Number.NEGATIVE_INFINITY, above = Number.NEGATIVE_INFINITY, most } = limits
  const value = said.trim() === '' ? Number.NaN : Number(said)
  const isFit = value >= least && value > above && value <= most
  if (isFit && (!limits.isWhole || Number.isInteger(value))) return value
  const from = limits.above === undefined ? `${least}` : `>${above}`
  throw new UsageError(words.badNumber(name, said, `${from} … ${most}`))
}

const toShare = (percent: number | undefined) => (percent === undefined ? undefined : percent / 100)

function toResume(said: ProgramContext['options']['resume'], cwd: string): HarborRequest['resume'] {
  if (said === undefined) return undefined
  // The flag is that of every command, where it takes a session.
  if (said.kind === 'session') return { kind: 'folder', folder: resolve(cwd, said.session_id) }
  return { kind: 'last' }
}

function toFormats(said: readonly string[]): ReadonlySet<Format> {
  const names = said.flatMap((value) => value.split(',')).map((name) => name.trim())
  const wrong = names.find((name) => !(formats as readonly string[]).includes(name))
  if (wrong !== undefined) throw new UsageError(words.badFormat(wrong, formats))
  return new Set(names.length === 0 ? formats : (names as Format[]))
}
