const tabs = ['sources', 'questions', 'definitions', 'log'] as const
export type DataTab = (typeof tabs)[number]

/** What the address of the data page says beside its path. */
export interface DataSearch {
  tab?: DataTab
  /** The source that is open. */
  source?: string
  offset?: number
}

export function toDataSearch({ tab, source, offset }: Record<string, unknown>): DataSearch {
  return {
    ...(tabs.includes(tab as DataTab) && { tab: tab as DataTab }),
    ...(typeof source === 'string' && source !== '' && { source }),
    ...(typeof offset === 'number' && offset > 0 && { offset: Math.floor(offset) }),
  }
}
