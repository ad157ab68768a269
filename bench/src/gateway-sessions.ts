import { readFile } from 'node:fs/promises'
import type { Target } from './gateway/contract.ts'
import { openLoad } from './gateway/load.ts'
import { startBare, startMcpProxy, startOurs } from './gateway/targets.ts'
import { type Benchmark, type PrepareContext, type Prepared, prepareWith } from './harness.ts'

const bare = 'bare SDK server'

/** What a client session costs that has called one tool and stays, by the sessions of a turn. */
export const benchmark: Benchmark = {
  description: 'a new client session with one call, and the memory that it keeps',
  sizes: [16, 64, 256],
  rounds: 3,
  prepare: prepareWith(prepare),
}

async function prepare(
  { size, quick }: PrepareContext,
  cleanup: AsyncDisposableStack,
): Promise<Prepared> {
  const upstream = cleanup.use(await startBare())
  const targets = {
    [bare]: cleanup.use(await startBare()),
    ours: cleanup.use(await startOurs({ upstreamUrl: upstream.url })),
    ...(!quick && { 'mcp-proxy': cleanup.use(await startMcpProxy()) }),
  }
  const subjects = []
  for (const [name, target] of Object.entries(targets)) {
    const count = quick ? 2 : size
    if (!quick) await openSessions(target, 100, cleanup)
    subjects.push({
      ...{ name, count, ...(name !== bare && { baseline: bare }), pids: await target.pids() },
      run: (times: number) => openSessions(target, times, cleanup),
    })
  }
  return { subjects }
}

async function openSessions(target: Target, count: number, cleanup: AsyncDisposableStack) {
  const before = await residentOf(target)
  const start = performance.now()
  for (let opened = 0; opened < count; opened += 1) {
    const load = cleanup.use(await openLoad(target))
    await load.call()
  }
  const wall = (performance.now() - start) * 1000
  return { wall, cpu: 0, grown: (await residentOf(target)) - before }
}

/** Bytes that a server and its children have in memory. Linux only. */
async function residentOf(target: Target): Promise<number> {
  let pages = 0
  for (const pid of await target.pids()) {
    const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
    pages += Number(text.split(' ')[1] ?? 0)
  }
  return pages * 4096
}
