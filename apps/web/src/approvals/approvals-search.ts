export const views = ['pending', 'decided', 'used', 'all'] as const
export type View = (typeof views)[number]

/** What the address of the inbox says beside its path. */
export interface ApprovalsSearch {
  /** Default: `pending`. */
  status?: View
  /** Of an administrator: their own alone. */
  mine?: true
  offset?: number
  /** The approval that is open. */
  id?: string
}

export function toApprovalsSearch(search: Record<string, unknown>): ApprovalsSearch {
  const { status, mine, offset, id } = search
  return {
    ...(views.includes(status as View) && { status: status as View }),
    ...(mine === true && { mine }),
    ...(typeof offset === 'number' && offset > 0 && { offset: Math.floor(offset) }),
    ...(typeof id === 'string' && id !== '' && { id: id.slice(0, 200) }),
  }
}
