import type { Clock } from '@dataagent/guard'
import { type ApprovalScope, isAppError } from '@dataagent/schema'
import { type ApprovalRow, readShown } from '../approvals/index.ts'
import type { Policy } from '../policy/index.ts'
import { originOf } from '../servers/index.ts'
import { reachOf } from './reach-of.ts'
import type { Admitted } from './underway.ts'

export interface RememberMeans {
  policy: Pick<Policy, 'addRule'>
  clock: Clock
}

/** Sessions end without a word: their rules do not stay for ever. */
const sessionRuleMs = 7 * 86_400_000

/**
 * How far an approval reaches, as a rule of the user's, which is no looser than an administrator's
 * settings and rules let it be. Nothing said is what the policy says: where it asks once per tool
 * and session, for the session. Where the rule cannot be made, the person is asked again the next
 * time.
 */
export async function rememberApproval(
  { policy, clock }: RememberMeans,
  admitted: Admitted,
  { scope, row }: { scope: ApprovalScope | undefined; row: ApprovalRow },
): Promise<void> {
  const { principal } = admitted.context
  // What a person said of a session they said of the one that they were shown.
  const session_id = scope ? row.session_id : (admitted.context.session_id ?? null)
  const reach = scope ?? (asksOncePerSession(admitted) ? 'tool' : 'once')
  const limits = [reachOf(admitted.entry), readShown(row).reach]
  if (limits.some((limit) => limit?.scopes.includes(reach) === false)) return
  if (reach === 'once' || principal.user_id === null) return
  if (reach !== 'always' && session_id === null) return
  const { agent_id, group_id, ...person } = principal
  const forSession = { session_id, expires_at: clock.now() + sessionRuleMs }
  const until = reach === 'always' ? 'until it is withdrawn' : 'for this session'
  await policy
    .addRule(person, {
      tier: 'user',
      subject: { kind: 'user', id: principal.user_id },
      ...toTools(admitted, reach),
      effect: 'allow',
      trusts: toTrusted(admitted),
      ...(reach !== 'always' && forSession),
      note: `approved ${until} by ${row.decided_by}`,
    })
    .catch(unlessExpected)
}

/** Our own tools have no server: one of them is never all of them. */
function toTools({ entry }: Admitted, reach: ApprovalScope) {
  const { name } = entry.tool
  const server_id = originOf(entry.tool.server_id)
  const isWhole = reach === 'server' && entry.own === undefined
  return { server_id, tool: isWhole ? '*' : escapePattern(name) }
}

/**
 * The rule holds after the output of the same server where the tool is asked for because of that
 * server: else the tool's own first answer would undo it. After no other output.
 */
function toTrusted(admitted: Admitted): string[] {
  return asksOncePerSession(admitted) ? [originOf(admitted.entry.tool.server_id)] : []
}

function asksOncePerSession({ verdict }: Admitted): boolean {
  return verdict.status === 'ask' && verdict.once_per_session
}

function unlessExpected(error: unknown): void {
  if (!isAppError(error)) throw error
}

/** A pattern that fits this name alone. */
function escapePattern(name: string): string {
  return name.replaceAll(/[\\*?[\]]/g, String.raw`\$&`)
}
