import { randomUUID } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import { AppError, isAppError } from '@dataagent/schema'
import type { Kv } from '../kv-port.ts'
import { toCallerKey } from '../principal.ts'
import { type AskedRowOptions, toAskedRow } from './asked-row.ts'
import type { ApprovalAsk, ApprovalRow, ApprovalRows, PendingOrDecided } from './contract.ts'
import { toDigest } from './digest.ts'
import { toStanding } from './standing.ts'

export interface RequestOptions extends AskedRowOptions {
  rows: ApprovalRows
  kv: Pick<Kv, 'get' | 'setIfAbsent'>
  clock: Clock
  reuseMs: number
  pendingMax: number
  expireOne(row: ApprovalRow): Promise<void>
  onAsked(row: ApprovalRow): void
}

/** Every turn after the first follows a change by someone else. */
const maxTurns = 20

/** For that long, processes that are asked for the same approval at once agree on its id. */
const agreementMs = 10_000

/** Makes `request` of `Approvals`. */
export function createRequest(options: RequestOptions) {
  const { rows } = options

  return async function request(ask: ApprovalAsk): Promise<PendingOrDecided> {
    const { tenant_id } = ask.principal
    const [caller, digest] = [toCallerKey(ask.principal), toDigest(ask)]
    for (let turn = 0; turn < maxTurns; turn++) {
      const found = await rows.findByDigest(tenant_id, caller, digest)
      const answer = await answerWith(options, ask, found)
      if (answer) return answer
    }
    throw new AppError('unavailable', 'the approval of this call changes too fast; try again')
  }
}

/** Makes `decidedOf` of `Approvals`. */
export function createDecidedOf(options: Pick<RequestOptions, 'rows' | 'clock' | 'reuseMs'>) {
  return async function decidedOf(ask: ApprovalAsk): Promise<ApprovalRow | undefined> {
    if (ask.resumed === undefined) return undefined
    const [caller, digest] = [toCallerKey(ask.principal), toDigest(ask)]
    const found = await options.rows.findByDigest(ask.principal.tenant_id, caller, digest)
    if (found?.approval_id !== ask.resumed) return undefined
    return standingOf(options, ask, found) === 'decided' ? asDecided(found) : undefined
  }
}

function standingOf(
  { clock, reuseMs }: Pick<RequestOptions, 'clock' | 'reuseMs'>,
  { once_for, resumed }: ApprovalAsk,
  found: ApprovalRow,
) {
  const own = once_for === undefined ? undefined : resumed
  return toStanding(found, { now: clock.now(), reuseMs, resumed: own })
}

/** With its `used_at`, where it was used before. */
function asDecided(found: ApprovalRow): ApprovalRow {
  return { ...found, status: 'decided' }
}

/** Undefined where someone else was faster: what was found is then out of date. */
async function answerWith(
  options: RequestOptions,
  ask: ApprovalAsk,
  found: ApprovalRow | undefined,
): Promise<PendingOrDecided | undefined> {
  const { onAsked, expireOne } = options
  const standing = found ? standingOf(options, ask, found) : 'none'
  if (found && standing === 'pending') return { status: standing, row: found }
  if (found && standing === 'decided') return { status: standing, row: asDecided(found) }
  if (found && standing === 'due') return void (await expireOne(found))
  await assertRoom(options, ask)
  const row =
    found && standing === 'lapsed'
      ? await askAgain(options, ask, found)
      : await askAnew(options, ask, found)
  if (!row) return undefined
  onAsked(row)
  return { status: 'pending', row }
}

/** Nobody is helped by more questions than a person can answer. */
async function assertRoom(
  { rows, pendingMax }: RequestOptions,
  { principal }: ApprovalAsk,
): Promise<void> {
  const { tenant_id } = principal
  const caller = toCallerKey(principal)
  const query = { tenant_id, caller, status: 'pending', limit: 1, offset: pendingMax - 1 } as const
  if ((await rows.list(query)).length === 0) return
  throw new AppError(
    'rate_limited',
    `${pendingMax} approvals of this caller wait for a person already: decide those first`,
  )
}

/** A new round under the same id, brought to the call that asks now. */
async function askAgain(options: RequestOptions, ask: ApprovalAsk, found: ApprovalRow) {
  const { tenant_id, approval_id, assignee, created_at } = found
  const row = toAskedRow(options, ask, options.clock.now())
  const { expires_at, tool_call_id, session_id, run_id, reason, action_request } = row
  const round = { expires_at, tool_call_id, session_id, run_id, reason, action_request }
  const isOurs = await options.rows.reask({ tenant_id, approval_id }, round)
  if (!isOurs) return undefined
  return { ...row, approval_id, assignee, created_at, asked: found.asked + 1 }
}

async function askAnew(
  { rows, kv, clock, ...options }: RequestOptions,
  ask: ApprovalAsk,
  found: ApprovalRow | undefined,
) {
  // Newer than the one before it, also where two processes' clocks differ.
  const now = Math.max(clock.now(), (found?.created_at ?? 0) + 1)
  const row = toAskedRow(options, ask, now)
  const place = `hub:approvals:asking:${row.digest}:${found?.approval_id ?? ''}`
  const asked = { ...row, approval_id: await agreeOnId(kv, place) }
  try {
    await rows.insert(asked)
  } catch (error) {
    if (isAppError(error, 'conflict')) return undefined
    throw error
  }
  return asked
}

/**
 * The same id for all who ask at once, so that one of them inserts it. Without the KV each has its
 * own, and a person is asked once too often.
 */
async function agreeOnId(kv: RequestOptions['kv'], place: string): Promise<string> {
  const own = randomUUID()
  try {
    if (await kv.setIfAbsent(place, own, { ttlMs: agreementMs })) return own
    return (await kv.get(place)) ?? own
  } catch {
    return own
  }
}
