import type { Peer } from '../protocol/peer.ts'
import type { PendingCall } from '../protocol/pending-call.ts'
import type { RequestId } from '../rpc/messages.ts'
import { askingMethods } from './asking.ts'

/** The calls that what a server says may belong to; `call` is its id where that is known. */
export function callsOf({ pending }: Peer, call: RequestId | undefined): PendingCall[] {
  const known = pending.get(call)
  if (known !== undefined) return [known]
  return [...pending.values()].filter(({ options }) => askingMethods.has(options.method))
}

/** The call that it does belong to: never a guess among several, nor one in place of another. */
export function ownerOf(peer: Peer, call: RequestId | undefined): PendingCall | undefined {
  const [first, ...others] = callsOf(peer, call)
  if (first === undefined || others.length > 0) return undefined
  return call === undefined || first.id === call ? first : undefined
}
