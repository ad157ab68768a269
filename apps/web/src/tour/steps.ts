/** In the order of the tour. */
const stepIds = ['ask', 'approve', 'server', 'expose'] as const

export type StepId = (typeof stepIds)[number]

export interface TourStep {
  id: StepId
  to: '/c' | '/tools' | '/tools/expose'
  /** What is pointed at. */
  target: string
  /** What is filled in where messages are written. */
  ask?: string
}

/** The steps of now and those before: nobody is thrown off the one they are at. */
export function keepSteps(before: readonly TourStep[], now: readonly TourStep[]): TourStep[] {
  return stepIds.flatMap((id) => {
    const step = [...now, ...before].find((each) => each.id === id)
    return step ? [step] : []
  })
}
