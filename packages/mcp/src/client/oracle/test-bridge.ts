import type { JsonRpcMessage, JsonRpcRequest, RequestId } from '../../rpc/messages.ts'
import { createInProcessTransport, type HandlerContext } from '../../transports/in-process.ts'
import type { Transport } from '../../transports/transport.ts'

/** The transport of a server of either SDK, as far as both want it. */
export interface SdkTransport {
  start(): Promise<void>
  send(message: unknown): Promise<void>
  close(): Promise<void>
  onmessage?: (message: never) => void
  onclose?: () => void
}

/** A transport to a server of an official SDK inside this process, by messages as on a wire. */
export function createBridge(serve: (transport: SdkTransport) => Promise<unknown>): Transport {
  const waiting = new Map<RequestId, (response: unknown) => void>()
  let sendOut: HandlerContext['send'] | undefined
  const sdk: SdkTransport = {
    start: async () => undefined,
    async send(given) {
      const message = copy(given) as JsonRpcMessage
      if ('method' in message) sendOut?.(message)
      else if (message.id !== null) waiting.get(message.id)?.(message)
    },
    close: async () => sdk.onclose?.(),
  }
  const serving = serve(sdk)
  const transport = createInProcessTransport(async (message, context) => {
    await serving
    sendOut = context.send
    const answer = isRequest(message) ? waitFor(message) : undefined
    sdk.onmessage?.(copy(message) as never)
    return await answer
  })
  return {
    ...transport,
    async close() {
      await transport.close()
      await sdk.close()
    },
  }

  function waitFor({ id }: JsonRpcRequest): Promise<unknown> {
    return new Promise((resolve) => waiting.set(id, resolve))
  }
}

function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return 'method' in message && 'id' in message
}

function copy(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message))
}
