import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createMemoryKv, createRedisKv, type Kv, serveKv } from '@dataagent/store/kv'
import { openSql } from '@dataagent/store/sql'
import { createRedisScope, findService, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRevisions } from './revisions.ts'

const program = fileURLToPath(new URL('./test-follower-process.ts', import.meta.url))
const hasRedis = (await findService('redis')) !== undefined
const stages = ['served by the parent', ...(hasRedis ? ['on Redis'] : [])]

/** One follower that looks almost never by itself, and one that does often. */
const [rarelyMs, oftenMs] = [600_000, 300]

describe.each(stages)('a change in one process, with a KV %s', (stage) => {
  const stack = new AsyncDisposableStack()
  let set: Awaited<ReturnType<typeof setUp>>
  beforeAll(async () => {
    set = stack.use(await setUp(stage))
  })
  afterAll(() => stack.disposeAsync())

  test('is followed in the other by hint in tens of milliseconds', async () => {
    const tookMs = await set.changeAndWait(rarelyMs, (tenant_id) =>
      set.revisions.publish(tenant_id, 'policy'),
    )
    expect(tookMs).toBeLessThan(5_000)
    console.info(`followed by hint, KV ${stage}: ${tookMs.toFixed(1)} ms`)
  })

  test('is followed in the other without any hint within its interval', async () => {
    const tookMs = await set.changeAndWait(oftenMs, async () => {})
    expect(tookMs).toBeLessThan(5_000)
  })
})

async function setUp(stage: string) {
  const stack = new AsyncDisposableStack()
  const directory = stack.use(await temporaryDirectory())
  const url = `sqlite:${directory.path}/dataagent.db`
  const store = stack.use(openSql({ url }))
  await store.migrate()
  const { kv, start } = stage === 'on Redis' ? await openRedis(stack) : openServed(stack)
  const rows = store.hub.revisions
  const revisions = stack.use(createRevisions({ rows, kv }))
  const child = start([url, `${rarelyMs},${oftenMs}`])
  const loaded = new Map<string, number>()
  child.on('message', (message: { loaded?: string }) => {
    if (message.loaded) loaded.set(message.loaded, performance.now())
  })
  stack.defer(() => endChild(child))
  const first = ['ready', `all ${rarelyMs}`, `all ${oftenMs}`]
  await waitFor(() => first.every((what) => loaded.has(what)), { timeoutMs: 20_000 })
  let changes = 0

  /** Changes until the follower has listened for a while: then the time of one more change. */
  async function changeAndWait(
    everyMs: number,
    tell: (tenant_id: string) => Promise<void>,
  ): Promise<number> {
    let tookMs = 0
    for (let n = 0; n < 3; n++) {
      const tenant_id = `t${++changes}`
      await rows.bump(tenant_id, 'policy')
      const from = performance.now()
      await tell(tenant_id)
      tookMs =
        (await waitFor(() => loaded.get(`${tenant_id} ${everyMs}`), { intervalMs: 1 })) - from
    }
    return tookMs
  }
  return { revisions, changeAndWait, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

function openServed(stack: AsyncDisposableStack) {
  const kv: Kv = stack.use(createMemoryKv())
  const start = (args: string[]) => {
    const child = fork(program, args)
    stack.defer(serveKv({ kv, worker: child }))
    return child
  }
  return { kv, start }
}

async function openRedis(stack: AsyncDisposableStack) {
  const { url, prefix } = stack.use(await createRedisScope())
  const kv: Kv = stack.use(createRedisKv({ url, prefix }))
  return { kv, start: (args: string[]) => fork(program, [...args, url, prefix]) }
}

async function endChild(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
