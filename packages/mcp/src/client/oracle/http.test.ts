import { createEgress } from '@dataagent/guard'
import { createHttpTransport } from '../../transports/http/http-transport.ts'
import { createSseTransport } from '../../transports/sse/sse-transport.ts'
import { describeCallQuestions } from './describe-call-questions.ts'
import { describeClient } from './describe-client.ts'
import { startHttpV1, startHttpV2, startSseV1, type TestHttpServer } from './test-http-servers.ts'

function serving(start: () => Promise<TestHttpServer>) {
  return async () => {
    const server = await start()
    const egress = createEgress({ policy: { mode: 'any' } })
    return {
      createTransport: (way: 'usual' | 'sse') =>
        way === 'usual'
          ? createHttpTransport({ url: server.url, egress })
          : createSseTransport({ url: server.url, egress }),
      async [Symbol.asyncDispose]() {
        await egress.close()
        await server[Symbol.asyncDispose]()
      },
    }
  }
}

describeClient('SDK 1 over HTTP', { era: 'legacy', serve: serving(startHttpV1) })
describeClient('SDK 2 over HTTP', { era: 'modern', serve: serving(startHttpV2) })
describeClient('SDK 1 over HTTP+SSE', { era: 'legacy', serve: serving(startSseV1) })
describeCallQuestions('SDK 1 over HTTP', {
  era: 'legacy',
  hasStreams: true,
  serve: serving(startHttpV1),
})
describeCallQuestions('SDK 2 over HTTP', { era: 'modern', serve: serving(startHttpV2) })
describeCallQuestions('SDK 1 over HTTP+SSE', { era: 'legacy', serve: serving(startSseV1) })
