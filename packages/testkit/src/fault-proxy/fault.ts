/** `up` is from the client to the target. */
export type Direction = 'up' | 'down'

/** What happens to bytes on the way; each flow fault may be bound to one direction. */
export type Fault =
  | { kind: 'pass' }
  /** Each read waits `ms`, give or take up to `jitterMs`; order is kept. */
  | { kind: 'delay'; ms: number; jitterMs?: number; direction?: Direction }
  | { kind: 'drip'; bytesPerMs: number; direction?: Direction }
  /**
   * Ends both sides in good order once so many bytes passed in a direction since the fault was set.
   */
  | { kind: 'cut'; afterBytes: number; direction?: Direction }
  /** Sends RST to both sides: at once, or after so many bytes. */
  | { kind: 'reset'; afterBytes?: number; direction?: Direction }
  /** Takes bytes and drops them; neither side learns that the other one left. */
  | { kind: 'black_hole'; direction?: Direction }
  /** Reads no more: buffers fill up. Nothing is lost, all flows on when the fault ends. */
  | { kind: 'stall'; direction?: Direction }
  /** The target sees its client gone; the client's side stays open, silent, swallowing. */
  | { kind: 'half_open' }
  /** No listener: connecting is refused. Open connections are reset. */
  | { kind: 'refuse' }
  /** Puts so many random bytes before each chunk. */
  | { kind: 'garbage'; bytes: number; direction?: Direction }

/** Whether the fault concerns bytes of this direction. */
export function applies(fault: Fault, direction: Direction): boolean {
  return !('direction' in fault) || fault.direction === undefined || fault.direction === direction
}
