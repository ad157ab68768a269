/**
 * Leads the keys to what waits for a person: to its no, which asks for a reason first. Where that
 * is not in sight, it is shown.
 */
export function toApproval(room: HTMLElement): void {
  const card = room.querySelector<HTMLElement>('[data-waiting-approval]')
  if (card) {
    const no = card.querySelector<HTMLElement>('[data-decision="reject"]') ?? card
    no.focus()
    return
  }
  const log = room.querySelector('[role=log]')
  log?.scrollTo({ top: log.scrollHeight })
}
