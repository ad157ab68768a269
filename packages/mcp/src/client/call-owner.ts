import { askingMethods } from '../protocol/asking.ts'
import type { Peer } from '../protocol/peer.ts'
import type { PendingCall } from '../protocol/pending-call.ts'
import type { RequestId } from '../rpc/messages.ts'

/** The calls under way that what a server says may belong to; `call` is its id where known. */
export function callsOf({ pending }: Peer, call: RequestId | undefined): PendingCall[] {
  const known = pending.get(call)
  if (known !== undefined) return [known]
  return [...pending.values()].filter(({ options }) => askingMethods.has(options.method))
}

/**
 * The call that it does belong to: never a guess among several, nor one in place of another. One
 * that somebody else gave up is among them as long as the server may be at work on it.
 */
export function ownerOf(peer: Peer, call: RequestId | undefined): PendingCall | undefined {
  const [first, ...others] = callsOf(peer, call)
  if (first === undefined || others.length > 0) return undefined
  if (first.id === call) return first
  const isOnlyOne = first.ending === undefined && peer.abandoned.isEmptyBut(first.options.caller)
  return call === undefined && isOnlyOne ? first : undefined
}

/** Whether it may belong to a call that has brought handlers of its own. */
export function mayBeBrought(peer: Peer, call: RequestId | undefined): boolean {
  const isBrought = ({ options }: PendingCall) => options.questions !== undefined
  return callsOf(peer, call).some(isBrought) || peer.abandoned.hasBrought()
}
