import {
  type HostileKnobs,
  type HostileMode,
  type HostileTransport,
  modesOn,
} from '@dataagent/testkit'
import type { McpErrorKind } from '../errors.ts'
import type { McpServerConfig } from '../manager/contract.ts'
import type { HostileEra } from './test-stage.ts'

/** The call gave what it should, or adding the server, or the call, failed in this way. */
export type Outcome = 'ok' | `add: ${McpErrorKind}` | `call: ${McpErrorKind}`

type Expected = Outcome | readonly Outcome[]

/** One mode and what must come of it. */
export interface ModeCase {
  mode: HostileMode
  knobs?: HostileKnobs
  config?: Partial<McpServerConfig> | undefined
  /** For all transports, or for each. */
  expected: Expected | Partial<Record<HostileTransport, Expected>>
}

/** One mode on one transport. */
export type PlayedCase = ModeCase & { outcomes: Outcome[] }

const gone: Expected = ['call: closed', 'call: network']
/** Over HTTP the end of the answer is seen; elsewhere it might still come. */
const unanswered: ModeCase['expected'] = {
  stdio: 'call: timeout',
  http: ['call: network', 'call: protocol'],
  sse: 'call: timeout',
}
const kib = 1024

/** What is not here ends well: the hostile part is skipped and the call gives its result. */
const rows: Partial<Record<HostileMode, Omit<ModeCase, 'mode'>>> = {
  crash_mid_call: { expected: gone },
  crash_at_start: {
    expected: { stdio: ['add: start', 'add: closed'], http: 'add: network', sse: 'add: network' },
  },
  hang: { expected: 'call: timeout' },
  hang_at_initialize: { expected: 'add: timeout' },
  hang_always: { expected: 'add: timeout' },
  stderr_flood: { expected: 'ok', knobs: { bytes: 8e6 } },
  garbage_answer: {
    expected: { stdio: 'call: timeout', http: 'call: protocol', sse: 'call: timeout' },
  },
  // They name the call that they answer, but cannot be read.
  garbage_proto: { expected: 'call: protocol' },
  garbage_deep: { expected: 'call: protocol' },
  wrong_id: { expected: unanswered },
  string_id: { expected: unanswered },
  big_message: {
    expected: 'call: too_large',
    knobs: { bytes: 4e6 },
    config: { maxMessageBytes: 512 * kib },
  },
  endless_message: { expected: 'call: too_large', config: { maxMessageBytes: 512 * kib } },
  drip: { expected: 'call: timeout', knobs: { ms: 50 } },
  half_answer: { expected: 'call: timeout' },
  cut_in_answer: { expected: gone, knobs: { bytes: 30 } },
  wrong_shape: { expected: 'call: protocol' },
  endless_pages: { expected: 'add: protocol' },
  same_cursor: { expected: 'add: protocol' },
  deep_schema: { expected: 'add: protocol' },
  many_tools: { expected: 'ok', knobs: { count: 9_990 } },
  half_open: { expected: 'add: timeout' },
  unauthorized: { expected: ['call: http', 'call: sign_in'] },
  session_lost: { expected: { http: 'ok', sse: ['ok', 'call: http'] }, knobs: { times: 1 } },
  server_errors: { expected: 'call: http' },
  reflects_headers: { expected: 'call: http' },
  too_many_requests: { expected: 'ok', knobs: { times: 2 } },
  html_error: { expected: 'call: http' },
  endless_error: { expected: 'call: http' },
  huge_header: { expected: ['call: network', 'call: too_large', 'call: protocol'] },
  wrong_content_type: { expected: 'call: protocol' },
  no_content: { expected: 'call: protocol' },
  redirect_loop: { expected: ['call: network', 'call: http'] },
  comment_flood: { expected: 'ok', knobs: { count: 200_000 } },
  huge_schema: { expected: 'ok', knobs: { bytes: 2_000_000 } },
  notification_flood: { expected: 'ok', knobs: { count: 5_000 } },
  ends_without_answer: { expected: ['call: network', 'call: protocol'] },
}

/** In the modern era these do not come about: there is no handshake and no session. */
const legacyOnly: HostileMode[] = ['hang_at_initialize', 'slow_initialize', 'session_lost']

/** Every mode that makes sense on `transport`, each with its outcomes there. */
export function casesOn(transport: HostileTransport, era: HostileEra): PlayedCase[] {
  const names = modesOn(transport).filter((mode) => era === 'legacy' || !legacyOnly.includes(mode))
  return names.map((mode) => {
    const row = rows[mode] ?? { expected: 'ok' }
    return { mode, ...row, outcomes: toOutcomes(row.expected, transport) }
  })
}

function toOutcomes(expected: ModeCase['expected'], transport: HostileTransport): Outcome[] {
  const isWhole = typeof expected === 'string' || Array.isArray(expected)
  const here = isWhole ? expected : (expected as Record<string, Expected>)[transport]
  return [here ?? 'ok'].flat() as Outcome[]
}
