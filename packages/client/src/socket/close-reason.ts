import type { CloseReason } from './contract.ts'

const finalReasons = new Map<number, CloseReason>([
  [4401, 'unauthenticated'],
  [4403, 'forbidden'],
  [4404, 'not_found'],
  // RFC 6455 section 7.4.1: what these say of a message would be the same next time.
  [1002, 'refused'],
  [1003, 'refused'],
  [1007, 'refused'],
  [1008, 'refused'],
  [1009, 'refused'],
])

/** Why there is no use in coming back; undefined where there is. */
export function toCloseReason(code: number): CloseReason | undefined {
  return finalReasons.get(code)
}

const words: Record<CloseReason, string> = {
  closed_by_client: 'The socket has been closed.',
  unauthenticated: 'Nobody is signed in.',
  forbidden: 'The caller may not use this session.',
  not_found: 'There is no such session.',
  refused: 'The server does not take what this client sends.',
  unreadable: 'The server sent what this client cannot read: are both of one version?',
  log_reset: 'The session has fewer events than were seen before.',
}

export function toWords(reason: CloseReason): string {
  return words[reason]
}
