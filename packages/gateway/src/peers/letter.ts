import { isPlainObject } from '@dataagent/schema/base'
import type { PeerMessage } from './contract.ts'

/** What goes from process to process. `ask` is the number that the one who asks gave. */
export type Letter =
  | { kind: 'tell'; from: string; message: PeerMessage }
  | { kind: 'ask'; from: string; ask: number; message: PeerMessage }
  | { kind: 'stop'; from: string; ask: number }
  /** It is there and at it. */
  | { kind: 'beat'; from: string; ask: number }
  | { kind: 'part'; from: string; ask: number; part: unknown }
  | { kind: 'answer'; from: string; ask: number; value: unknown }
  | { kind: 'none'; from: string; ask: number }

/** The processes are of one installation, maybe of two versions: what is not known is left. */
export function parseLetter(text: string): Letter | undefined {
  const letter: unknown = JSON.parse(text)
  if (!isPlainObject(letter) || typeof letter.from !== 'string') return undefined
  const hasMessage = letter.kind !== 'tell' && letter.kind !== 'ask'
  return hasMessage || isPlainObject(letter.message) ? (letter as unknown as Letter) : undefined
}
