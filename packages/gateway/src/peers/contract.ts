/**
 * Messages between the processes that serve the same clients: a request may reach another one than
 * the one that holds its stream, its question or its call.
 */
export interface Peers extends AsyncDisposable {
  /** This process, in ids that clients bring back: `[a-z0-9]{16}`. */
  readonly name: string
  /** To every process, this one included. A hint: whoever is away misses it. Never rejects. */
  tell(message: PeerMessage): Promise<void>
  /**
   * Asks one process, and gives what its handler gives; undefined where it is not there, has ended
   * meanwhile, or has no such handler. Never rejects.
   */
  ask(to: string, message: PeerMessage, options?: AskOptions): Promise<PeerAnswer | undefined>
  /** One handler for each kind. */
  on(kind: string, handler: PeerHandler): void
  /** Begins to listen. Rejects where the KV is away; may be called again. */
  start(): Promise<void>
}

export interface PeerMessage {
  kind: string
  [field: string]: unknown
}

export interface PeerAnswer {
  value: unknown
}

export interface AskOptions {
  /** What the handler tells before it answers. Must not throw. */
  onPart?: ((part: unknown) => void) | undefined
  /** Ends the asking, and tells the handler so. */
  signal?: AbortSignal | undefined
}

export interface PeerContext {
  from: string
  /** Aborts when the one who asked no longer waits. */
  signal: AbortSignal
  /**
   * Told before the answer; ignored for what was told to all. Of many at once the latest goes, and
   * a text of more than 16,384 characters does not.
   */
  tellPart(part: unknown): void
}

/** What it gives is the answer; what it throws is told to nobody but `onError`. */
export type PeerHandler = (message: PeerMessage, context: PeerContext) => unknown
