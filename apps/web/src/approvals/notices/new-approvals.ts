import type { Approval } from '@dataagent/schema'

/** Which of those that wait were not there the last time. The first look finds none new. */
export function createNewcomers() {
  let known: ReadonlySet<string> | undefined
  return (waiting: readonly Approval[]): readonly Approval[] => {
    const before = known
    known = new Set(waiting.map(toRound))
    return before ? waiting.filter((approval) => !before.has(toRound(approval))) : []
  }
}

/** One that is asked again is new again. */
function toRound({ approval_id, asked }: Approval): string {
  return `${approval_id} ${asked}`
}
