import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Transport } from '../../transports/transport.ts'
import { describeClient } from './describe-client.ts'
import { createBridge } from './test-bridge.ts'
import { createServerV1 } from './test-sdk-v1.ts'
import { createServerV2 } from './test-sdk-v2.ts'

const remembered = { era: 'legacy', version: '2025-11-25', decided_at: 0 } as const
const bridgeV1 = () => createBridge((transport) => createServerV1().connect(transport as never))
const bridgeV2 = () =>
  createBridge(async (transport) => {
    serveStdio(() => createServerV2(), { transport: transport as never })
  })

function serving(createTransport: () => ReturnType<typeof createBridge>) {
  return async () => ({ createTransport, async [Symbol.asyncDispose]() {} })
}

/** A server answers with the version that it is offered: with this one. */
function withOffer(transport: Transport, protocolVersion: string): Transport {
  return {
    ...transport,
    call(request, options) {
      if (request.method !== 'initialize') return transport.call(request, options)
      const params = { ...request.params, protocolVersion }
      return transport.call({ ...request, params }, options)
    },
  }
}

describeClient('SDK 1 in this process', { era: 'legacy', serve: serving(bridgeV1) })
for (const version of ['2025-06-18', '2025-03-26', '2024-11-05']) {
  const createTransport = () => withOffer(bridgeV1(), version)
  describeClient(`SDK 1 in this process, ${version}`, {
    era: 'legacy',
    version,
    serve: serving(createTransport),
  })
}
describeClient('SDK 2 in this process', { era: 'modern', serve: serving(bridgeV2) })
describeClient('SDK 2 in this process, greeted', {
  era: 'legacy',
  remembered,
  serve: serving(bridgeV2),
})
