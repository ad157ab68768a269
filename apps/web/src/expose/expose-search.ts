const tabs = ['connect', 'tools', 'clients', 'calls'] as const
export type GroupTab = (typeof tabs)[number]

/** What the address of a group's page says beside its path. */
export interface GroupSearch {
  tab?: GroupTab
  offset?: number
}

export function toGroupSearch({ tab, offset }: Record<string, unknown>): GroupSearch {
  return {
    ...(tabs.includes(tab as GroupTab) && { tab: tab as GroupTab }),
    ...(typeof offset === 'number' && offset > 0 && { offset: Math.floor(offset) }),
  }
}
