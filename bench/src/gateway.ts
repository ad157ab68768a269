import type { Target } from './gateway/contract.ts'
import { type Load, openLoad } from './gateway/load.ts'
import {
  startBare,
  startMcpHub,
  startMcpProxy,
  startOurs,
  startOwnTool,
  startSupergateway,
} from './gateway/targets.ts'
import {
  type Benchmark,
  type PrepareContext,
  type Prepared,
  prepareWith,
  type Subject,
} from './harness.ts'

const bare = 'bare SDK server'

/** A tool call through a gateway, by the calls that one client has under way. */
export const benchmark: Benchmark = {
  description: 'a governed tool call through the gateway against a bare server and other gateways',
  sizes: [1, 16, 64],
  rounds: 7,
  prepare: prepareWith(prepare),
}

async function prepare(
  { size, quick }: PrepareContext,
  cleanup: AsyncDisposableStack,
): Promise<Prepared> {
  const upstream = cleanup.use(await startBare())
  const { url } = upstream
  const makers: [string, () => Promise<Target>][] = [
    [bare, async () => cleanup.use(await startBare())],
    ['ours, HTTP upstream', () => startOurs({ upstreamUrl: url })],
    ['ours, stdio upstream', startOurs],
    ['ours, own tool', startOwnTool],
    ['mcp-proxy, stdio upstream', startMcpProxy],
    ['supergateway, stdio upstream', startSupergateway],
    ['mcp-hub, HTTP upstream', () => startMcpHub(url)],
    ['mcp-hub, stdio upstream', () => startMcpHub(undefined)],
  ]
  const subjects: Subject[] = []
  for (const [name, make] of quick ? makers.slice(0, 4) : makers) {
    const target = cleanup.use(await make())
    const load = cleanup.use(await openLoad(target))
    const count = quick ? 20 : 2_000
    if (!quick) await callTimes(load, 3_000, size)
    const pids = await target.pids()
    const run = (times: number) => callTimes(load, times, size)
    subjects.push({ name, ...(name !== bare && { baseline: bare }), count, run, pids })
  }
  return { subjects }
}

/** `times` calls, `atOnce` of them under way. */
async function callTimes(load: Load, times: number, atOnce: number): Promise<void> {
  let left = times
  const work = async () => {
    while (left > 0) {
      left -= 1
      await load.call()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
