const tabs = ['datasets', 'runs'] as const
export type EvaluationsTab = (typeof tabs)[number]

/** What the address of the evaluations says beside its path. */
export interface EvaluationsSearch {
  tab?: EvaluationsTab
  offset?: number
}

export function toEvaluationsSearch({ tab, offset }: Record<string, unknown>): EvaluationsSearch {
  return {
    ...(tabs.includes(tab as EvaluationsTab) && { tab: tab as EvaluationsTab }),
    ...(isOffset(offset) && { offset: Math.floor(offset) }),
  }
}

const runTabs = ['grid', 'report', 'trials', 'compare'] as const
export type RunTab = (typeof runTabs)[number]

/** The same of the page of one run. */
export interface RunSearch {
  tab?: RunTab
  /** The run that it is compared with. */
  baseline?: string
  /** The question whose trials are open. */
  question?: string
  offset?: number
}

export function toRunSearch(search: Record<string, unknown>): RunSearch {
  const { tab, baseline, question, offset } = search
  return {
    ...(runTabs.includes(tab as RunTab) && { tab: tab as RunTab }),
    ...(isText(baseline) && { baseline: String(baseline) }),
    ...(isText(question) && { question: String(question) }),
    ...(isOffset(offset) && { offset: Math.floor(offset) }),
  }
}

/** An id that is all digits comes as a number. */
function isText(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

function isOffset(value: unknown): value is number {
  return typeof value === 'number' && value > 0
}
