import type { Transport } from '../transports/transport.ts'

export interface StartNotes {
  onStarted(): void
  /** Given each call; gives it back as it is. */
  onCall<T>(call: Promise<T>): Promise<T>
}

/** `transport`, telling when it has been started and what is called. */
export function noteStart(transport: Transport, { onStarted, onCall }: StartNotes): Transport {
  return {
    kind: transport.kind,
    async start(events, options) {
      await transport.start(events, options)
      onStarted()
    },
    call: (request, options) => onCall(transport.call(request, options)),
    send: (message, options) => transport.send(message, options),
    negotiated: (protocol) => transport.negotiated?.(protocol),
    close: () => transport.close(),
  }
}
