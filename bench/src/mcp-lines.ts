import type { Benchmark, Subject } from './harness.ts'
import { startClient } from './mcp-client/client-process.ts'
import type { ClientKind } from './mcp-client/contract.ts'
import { echoOverStdio } from './mcp-client/echo-server.ts'

const megabyte = 1_000_000
/** Its reader copies all it has at each chunk: a line of 100 MB would take many minutes. */
const largestForV1 = 10

/**
 * One answer as a line of 1, 10 and 100 MB. An operation is a megabyte: a cost that stays is
 * linear.
 */
export const benchmark: Benchmark = {
  description: 'one long line over stdio, per megabyte, and the longest stall; against SDK v1',
  sizes: [1, 10, 100],
  rounds: 5,
  async prepare({ size, quick, signal }) {
    const cleanup = new AsyncDisposableStack()
    const subjects: Subject[] = []
    const start = async (name: string, kind: ClientKind) => {
      signal.throwIfAborted()
      const client = cleanup.use(await startClient(kind, echoOverStdio()))
      const bytes = quick ? 1_000 : size * megabyte
      const order = { tool: 'fill', args: { bytes }, calls: 1, atOnce: 1, watch: true }
      subjects.push({ name, count: size, run: () => client.run(order) })
    }
    try {
      if (size <= largestForV1) await start('SDK v1', 'sdk-v1')
      await start('ours', 'ours')
    } catch (error) {
      await cleanup.disposeAsync()
      throw error
    }
    const [first, ...others] = subjects
    const compared = others.map((subject) => ({ ...subject, baseline: `${first?.name}` }))
    return {
      subjects: [...subjects.slice(0, 1), ...compared],
      [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
    }
  },
}
