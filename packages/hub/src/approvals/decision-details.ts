import { isDeepStrictEqual } from 'node:util'
import type { Masker } from '@dataagent/guard'
import {
  AppError,
  type Decision,
  isPlainObject,
  type JsonObject,
  readJson,
} from '@dataagent/schema'
import type { SecretBinding, Vault } from '../vault-port.ts'
import type { ApprovalRef, ApprovalRow } from './contract.ts'
import { readShown } from './shown-action.ts'

/** What was decided beside yes or no, as `decision_details` holds it. */
interface StoredDetails extends Pick<Decision, 'scope' | 'on_reject'> {
  /** As people are shown them: secrets masked. */
  args?: JsonObject
  /** The exact ones, where masking changed them. */
  sealed_args?: string
}

export interface DetailsMeans {
  masker: Pick<Masker, 'mask'>
  /** Without one, arguments that hold a secret cannot be given. */
  vault?: Pick<Vault, 'seal' | 'open'> | undefined
}

/** The column's text. What a yes has and a no has not, and the other way, is left out. */
export async function toDetailsText(
  means: DetailsMeans,
  ref: ApprovalRef,
  { type, args, scope, on_reject }: Decision,
): Promise<string | null> {
  if (type === 'reject') return toText(on_reject ? { on_reject } : {})
  return toText({
    ...(scope && { scope }),
    ...(args && (await toStoredArgs(means, ref, args))),
  })
}

function toText(details: StoredDetails): string | null {
  return Object.keys(details).length === 0 ? null : JSON.stringify(details)
}

async function toStoredArgs({ masker, vault }: DetailsMeans, ref: ApprovalRef, given: JsonObject) {
  const args = masker.mask(given) as JsonObject
  if (isDeepStrictEqual(args, given)) return { args }
  if (vault === undefined) {
    throw new AppError('invalid_request', 'arguments that hold a secret cannot be given here')
  }
  return { args, sealed_args: await vault.seal(JSON.stringify(given), toBinding(ref)) }
}

/** What was decided beside yes or no, for people. */
export function readDetails(row: ApprovalRow): Pick<Decision, 'args' | 'scope' | 'on_reject'> {
  const { sealed_args, ...shown } = readStored(row)
  return shown
}

/**
 * The arguments that an approver gave in place of `asked`, if they did. What they were not shown,
 * being masked, is as it was asked for, unless they wrote something else there.
 */
export async function readGivenArgs(
  { vault }: DetailsMeans,
  row: ApprovalRow,
  asked: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  const { args, sealed_args } = readStored(row)
  if (args === undefined) return undefined
  const opened = sealed_args && (await vault?.open(sealed_args, toBinding(row)))
  const given = opened ? (readJson(opened) as JsonObject) : args
  const shown = readShown(row).args
  return restore(given, shown, asked) as Record<string, unknown>
}

function readStored({ decision_details }: ApprovalRow): StoredDetails {
  return decision_details === null ? {} : (readJson(decision_details) as StoredDetails)
}

function toBinding({ tenant_id, approval_id }: ApprovalRef): SecretBinding {
  return { tenant: tenant_id, table: 'approvals', row: approval_id, column: 'decision_details' }
}

/** What is given just as it was shown stands for what was asked. */
function restore(given: unknown, shown: unknown, asked: unknown): unknown {
  if (isDeepStrictEqual(given, shown)) return asked
  if (Array.isArray(given) && Array.isArray(shown) && Array.isArray(asked)) {
    return given.map((each, at) => restore(each, shown[at], at in asked ? asked[at] : each))
  }
  if (!isPlainObject(given) || !isPlainObject(shown) || !isPlainObject(asked)) return given
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const isKnown = Object.hasOwn(shown, key) && Object.hasOwn(asked, key)
      return [key, isKnown ? restore(value, shown[key], asked[key]) : value]
    }),
  )
}
