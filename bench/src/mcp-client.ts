import type { Benchmark, Subject } from './harness.ts'
import { type ClientProcess, startClient } from './mcp-client/client-process.ts'
import type { ClientKind, Order, Target } from './mcp-client/contract.ts'
import { echoOverStdio, startEchoServer } from './mcp-client/echo-server.ts'

const order = { tool: 'echo', args: { text: 'x'.repeat(100) }, watch: false }
const warmUp = 3_000

interface Contestant {
  name: string
  kind: ClientKind
  target: Target
  baseline?: string
}

/** Tool calls by our client and the official ones, each in its own process, by calls at once. */
export const benchmark: Benchmark = {
  description: 'CPU and rate of tool calls, 1 to 64 at once, against the official SDKs v1 and v2',
  sizes: [1, 16, 64],
  async prepare({ size, quick, signal }) {
    const cleanup = new AsyncDisposableStack()
    try {
      const { url } = cleanup.use(await startEchoServer())
      const subjects: Subject[] = []
      for (const contestant of contestantsFor(url)) {
        signal.throwIfAborted()
        const client = cleanup.use(await startClient(contestant.kind, contestant.target))
        if (!quick) await client.run({ ...order, calls: warmUp, atOnce: size })
        subjects.push(toSubject(contestant, client, { atOnce: size, calls: quick ? 20 : 1_000 }))
      }
      return { subjects, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
    } catch (error) {
      await cleanup.disposeAsync()
      throw error
    }
  },
}

/** Each beside the official client to beat on its wire. */
function contestantsFor(url: string): Contestant[] {
  const legacy: Target = { wire: 'http', url, era: 'legacy' }
  const modern: Target = { wire: 'http', url, era: 'modern' }
  const stdio = echoOverStdio()
  return [
    { name: 'http, SDK v1', kind: 'sdk-v1', target: legacy },
    { name: 'http, SDK v2', kind: 'sdk-v2', target: legacy },
    { name: 'http, ours', kind: 'ours', target: legacy, baseline: 'http, SDK v2' },
    { name: 'http modern, SDK v2', kind: 'sdk-v2', target: modern },
    { name: 'http modern, ours', kind: 'ours', target: modern, baseline: 'http modern, SDK v2' },
    { name: 'stdio, SDK v1', kind: 'sdk-v1', target: stdio },
    { name: 'stdio, SDK v2', kind: 'sdk-v2', target: stdio },
    { name: 'stdio, ours', kind: 'ours', target: stdio, baseline: 'stdio, SDK v1' },
  ]
}

function toSubject(
  { name, baseline }: Contestant,
  client: ClientProcess,
  { atOnce, calls }: Pick<Order, 'atOnce' | 'calls'>,
): Subject {
  return {
    name,
    ...(baseline !== undefined && { baseline }),
    count: calls,
    run: (count) => client.run({ ...order, calls: count, atOnce }),
  }
}
