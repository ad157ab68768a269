import type { Transport } from '../transports/transport.ts'

/** `transport`, telling when it has been started. */
export function noteStart(transport: Transport, onStarted: () => void): Transport {
  return {
    kind: transport.kind,
    async start(events, options) {
      await transport.start(events, options)
      onStarted()
    },
    call: (request, options) => transport.call(request, options),
    send: (message, options) => transport.send(message, options),
    negotiated: (protocol) => transport.negotiated?.(protocol),
    close: () => transport.close(),
  }
}
