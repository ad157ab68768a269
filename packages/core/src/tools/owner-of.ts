import type { OwnToolContext } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import type { WorkspaceOwner } from '../workspaces/index.ts'

/** Whose files a call works on. A machine that calls for nobody has none. */
export function ownerOf({ principal }: Pick<OwnToolContext, 'principal'>): WorkspaceOwner {
  const { tenant_id, user_id } = principal
  if (user_id !== null) return { tenant_id, user_id }
  throw new AppError(
    'forbidden',
    'There is no workspace: this caller acts for no user. Go on without files',
  )
}
