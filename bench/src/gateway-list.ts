import { openLoad } from './gateway/load.ts'
import { startBare, startMcpHub, startOurs } from './gateway/targets.ts'
import { type Benchmark, type PrepareContext, type Prepared, prepareWith } from './harness.ts'

const bare = 'bare SDK server'

/** `tools/list` of a group, by the tools that it has. */
export const benchmark: Benchmark = {
  description: 'tools/list through the gateway against a bare server and another gateway',
  sizes: [10, 100, 1_000],
  rounds: 7,
  prepare: prepareWith(prepare),
}

async function prepare(
  { size, quick }: PrepareContext,
  cleanup: AsyncDisposableStack,
): Promise<Prepared> {
  const upstream = cleanup.use(await startBare({ tools: size }))
  const targets = {
    [bare]: upstream,
    ours: cleanup.use(await startOurs({ upstreamUrl: upstream.url })),
    ...(!quick && { 'mcp-hub': cleanup.use(await startMcpHub(upstream.url)) }),
  }
  const subjects = []
  for (const [name, target] of Object.entries(targets)) {
    const { list } = cleanup.use(await openLoad(target))
    const found = (await list()).match(/"inputSchema"/g)?.length ?? 0
    if (found < size) throw new Error(`${name} listed ${found} of ${size} tools`)
    subjects.push({
      ...{ name, ...(name !== bare && { baseline: bare }), pids: await target.pids() },
      run: (times: number) => listTimes(list, times),
    })
  }
  return { subjects }
}

async function listTimes(list: () => Promise<string>, times: number): Promise<void> {
  for (let done = 0; done < times; done += 1) await list()
}
