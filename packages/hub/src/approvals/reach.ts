import { AppError, type ApprovalScope } from '@dataagent/schema'
import { ownServerId } from '../define-tool/index.ts'
import type { Principal } from '../principal.ts'
import { mayReachFurther } from './access.ts'
import type { ApprovalRow } from './contract.ts'
import { readShown } from './shown-action.ts'

/** Whoever is told yes must be told what it covers: what cannot hold is refused, not dropped. */
export function checkReach(by: Principal, row: ApprovalRow, scope: ApprovalScope): void {
  if (scope === 'once') return
  const { reach } = readShown(row)
  if (reach && !reach.scopes.includes(scope)) throw noReach(scope, reach.why)
  if (scope === 'server' && row.server_id === ownServerId) {
    throw noReach(scope, 'it is a tool of this platform, which has no server')
  }
  if (row.user_id === null) throw noReach(scope, 'the call is made for nobody in particular')
  if (scope !== 'always' && row.session_id === null) {
    throw noReach(scope, 'the call belongs to no session')
  }
  if (mayReachFurther(by, row)) return
  throw new AppError('forbidden', 'for another person a call can be approved once only')
}

/** The call runs in the name of the one who asked: what it does is theirs to say. */
export function checkGiver(by: Principal, row: ApprovalRow): void {
  if (!mayReachFurther(by, row)) {
    throw new AppError(
      'forbidden',
      'only the one whose call it is, or an administrator, can give it other arguments',
    )
  }
  if (!readShown(row).not_shown?.cut) return
  const why = 'arguments that are too long to be shown whole cannot be changed here'
  throw new AppError('invalid_request', why)
}

function noReach(scope: ApprovalScope, why: string): AppError {
  return new AppError('invalid_request', `scope "${scope}" cannot hold: ${why}`)
}
