import type { Clock, Masker } from '@dataagent/guard'
import { AppError, decisionSchema, type JsonObject } from '@dataagent/schema'
import type { Note } from '../changes/index.ts'
import type { Principal } from '../principal.ts'
import { isApprover, isPerson, sees } from './access.ts'
import { decidedAlready, toApproval } from './approval-view.ts'
import type { ApprovalRow, ApprovalRows, Approvals, DecidedFields } from './contract.ts'
import { type DetailsMeans, toDetailsText } from './decision-details.ts'
import { toAskedAgain, toDecision, toHandOver } from './noted-decisions.ts'
import { checkGiver, checkReach } from './reach.ts'
import { toStoredText } from './stored-text.ts'

export interface DecisionsOptions {
  rows: ApprovalRows
  clock: Clock
  masker: DetailsMeans['masker'] & Pick<Masker, 'maskText'>
  vault?: DetailsMeans['vault']
  timeoutMs: number
  mayDecide(by: Principal, row: ApprovalRow): boolean
  /** Throws where the call could not be made with these arguments. */
  checkArgs(row: ApprovalRow, args: JsonObject): Promise<void>
  hasUser(tenant_id: string, user_id: string): Promise<boolean>
  expireOne(row: ApprovalRow): Promise<void>
  onChanged(row: ApprovalRow): void
  note: Note
}

/** What people do with an approval. Each reads who may, then changes by compare-and-set. */
export function createDecisions(
  options: DecisionsOptions,
): Pick<Approvals, 'decide' | 'withdraw' | 'handOver' | 'reask' | 'get'> {
  const { rows, clock, masker, timeoutMs, mayDecide, hasUser, expireOne, onChanged } = options
  const { note } = options

  /** As it is now: what is past its time is expired first. */
  async function find(by: Principal, approval_id: string): Promise<ApprovalRow> {
    const row = await rows.get(by.tenant_id, approval_id)
    if (!row || !sees(by, row)) throw unknown(approval_id)
    if (row.status !== 'pending' || row.expires_at > clock.now()) return row
    await expireOne(row)
    return (await rows.get(by.tenant_id, approval_id)) ?? row
  }

  async function findOpen(by: Principal, approval_id: string): Promise<ApprovalRow> {
    const row = await find(by, approval_id)
    if (!isApprover(by, row) || !mayDecide(by, row)) throw notTheirs(approval_id)
    if (row.status !== 'pending') throw decidedAlready(row)
    return row
  }

  async function checkGiven(by: Principal, row: ApprovalRow, args: JsonObject): Promise<void> {
    checkGiver(by, row)
    await options.checkArgs(row, args)
  }

  function changed(row: ApprovalRow) {
    onChanged(row)
    return toApproval(row)
  }

  return {
    async decide(by, approval_id, decision) {
      const read = readDecision(decision)
      const { type, message, args, scope = 'once' } = read
      for (;;) {
        const row = await findOpen(by, approval_id)
        if (type === 'approve') checkReach(by, row, scope)
        if (type === 'approve' && args) await checkGiven(by, row, args)
        const decided: DecidedFields = {
          decision_details: await toDetailsText(options, row, read),
          decision: type,
          message: toStoredText(masker.maskText(message)),
          via: 'person',
          decided_by: by.user_id,
          decided_at: clock.now(),
        }
        const isOurs = await rows.decide(row, decided, note(by, toDecision(row, decided)))
        if (isOurs) return changed({ ...row, ...decided, status: 'decided' })
      }
    },

    async withdraw(tenant_id, approval_id) {
      const row = await rows.get(tenant_id, approval_id)
      if (row?.status !== 'pending') return
      const decided = { ...byWithdrawal, decided_at: clock.now() }
      const isOurs = await rows.decide(row, decided)
      if (isOurs) changed({ ...row, ...decided, status: 'decided' })
    },

    async handOver(by, approval_id, user_id) {
      for (;;) {
        const row = await findOpen(by, approval_id)
        if (!(await hasUser(by.tenant_id, user_id))) throw nobody(user_id)
        const to = { assignee: user_id, now: clock.now() }
        const handed = note(by, toHandOver(row, user_id))
        const isOurs = await rows.assign(row, to, handed)
        if (isOurs) return changed({ ...row, assignee: user_id })
      }
    },

    async reask(by, approval_id) {
      for (;;) {
        const row = await find(by, approval_id)
        if (!isPerson(by)) throw notTheirs(approval_id)
        if (row.status === 'pending') return toApproval(row)
        if (row.via !== 'expiry' && row.via !== 'withdrawal') throw decidedAlready(row)
        if (row.run_id !== null) throw runOver(row)
        const newest = await rows.findByDigest(row.tenant_id, row.caller, row.digest)
        if (newest && newest.approval_id !== approval_id) throw askedSince(row, newest)
        const round = { expires_at: clock.now() + timeoutMs }
        const isOurs = await rows.reask(row, round, note(by, toAskedAgain(row)))
        if (isOurs) return changed({ ...row, ...undecided, ...round, asked: row.asked + 1 })
      }
    },

    async get(by, approval_id) {
      return toApproval(await find(by, approval_id))
    },
  }
}

const byWithdrawal = {
  decision: 'reject',
  message: '',
  via: 'withdrawal',
  decided_by: null,
  decision_details: null,
} as const

const undecided = {
  status: 'pending',
  decision: null,
  message: null,
  via: null,
  decided_by: null,
  decided_at: null,
  decision_details: null,
} as const

/** Whatever came through the edges, nothing but these two words is ever stored. */
function readDecision(decision: unknown) {
  const read = decisionSchema.safeParse(decision)
  if (read.success) return read.data
  throw new AppError('invalid_request', 'a decision is "approve" or "reject", with a message')
}

function unknown(approval_id: string): AppError {
  return new AppError('not_found', `there is no approval ${approval_id}`)
}

function notTheirs(approval_id: string): AppError {
  return new AppError(
    'forbidden',
    `approval ${approval_id} must be decided by a person who signed in: the one whose call it is, ` +
      'the one it was handed over to, or an administrator',
  )
}

function nobody(user_id: string): AppError {
  return new AppError('invalid_request', `there is no user ${user_id} to hand it over to`)
}

/** Nothing would come of a yes: a call of a run waits once, and one that goes on asks by itself. */
function runOver({ approval_id, session_id }: ApprovalRow): AppError {
  const message =
    `the run that asked for approval ${approval_id} does not wait for it any more: ` +
    'ask the agent again, and it asks anew'
  return new AppError('conflict', message, {
    data: { reason: 'run_over', approval_id, session_id },
  })
}

function askedSince(row: ApprovalRow, newest: ApprovalRow): AppError {
  const { approval_id } = newest
  const message = `approval ${row.approval_id} was asked again as ${approval_id}`
  return new AppError('conflict', message, { data: { approval_id } })
}
