import { randomInt, randomUUID } from 'node:crypto'
import { createMasker } from '@dataagent/guard'
import { createMemoryKv, serveKv } from '@dataagent/store/kv'
import { describeSql } from '@dataagent/store/sql/describe-sql'
import { createRedisScope, findService, longCount } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApprovals } from './approvals.ts'
import type { ApprovalRow, Approvals } from './contract.ts'
import { anAsk, aUser, useNewest, yes } from './test-approvals.ts'
import { startWorker, type Worker } from './test-workers.ts'

const kills = longCount(1, 100)
const hasRedis = (await findService('redis')) !== undefined

await describeSql('approvals of two processes', (subject) => {
  const stack = new AsyncDisposableStack()
  let [first, second]: Worker[] = []
  beforeAll(async () => {
    ;[first, second] = await startTwo(stack, subject().url, subject().kind)
  })
  afterAll(() => stack.disposeAsync())

  const rows = () => subject().store.hub.approvals
  const open = () => createApprovals({ rows: rows(), kv: createMemoryKv(), masker: createMasker() })

  test('a decision reaches the one that waits, whichever it is given to', async () => {
    const calls = Array.from({ length: 20 }, () => ({ order: randomUUID() }))
    const asked = await Promise.all(calls.map((args) => first!.run('ask', args)))
    const ids = asked.map(({ approval_id }) => approval_id)
    const told = first!.run('wait', ids)
    await second!.run('ask', { order: randomUUID() })
    const given = await second!.run('decide', ids)
    const latencies = (await told).map((at, n) => at - (given[n] ?? 0)).toSorted((a, b) => a - b)
    expect(latencies.every((ms) => ms < 2_000)).toBe(true)
    const [median, most] = [latencies[10], latencies.at(-1)].map((ms) => ms?.toFixed(1))
    console.info(`${subject().kind}: told after ${median} ms (median), ${most} ms (most)`)
    const toUse = ids.map((id, n): [string, Record<string, string>] => [id, calls[n] ?? {}])
    const uses = await Promise.all([first!, second!].map((each) => each.run('use', toUse, 5)))
    const perApproval = ids.map((_, n) => uses.reduce((sum, counts) => sum + (counts[n] ?? 0), 0))
    expect(perApproval).toEqual(ids.map(() => 1))
  })

  test('one outlives kill -9, with the same id and the time that is left [F17]', async () => {
    const args = { order: randomUUID() }
    const asked = await first!.run('ask', args)
    void first!.run('wait', [asked.approval_id])
    await first!.kill()
    await using approvals = open()
    const again = await approvals.request(anAsk({ args }))
    expect(again).toEqual({ status: 'pending', row: asked })
    const wait = approvals.wait('t1', asked.approval_id)
    await approvals.decide(aUser('ana'), asked.approval_id, yes)
    expect(await wait).toMatchObject({ decision: 'approve', expires_at: asked.expires_at })
    const uses = [1, 2, 3].map(() => approvals.use('t1', asked.approval_id, anAsk({ args })))
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1)
  })

  test(
    `${kills} kill -9 at any moment lose no approval and double no use [F17]`,
    async () => {
      const said = { asked: new Map<string, ApprovalRow>(), used: [] as string[] }
      await using approvals = open()
      for (let kill = 1; kill <= kills; kill++) {
        const worker = kill === 1 ? second! : startWorker([subject().url, 'none'])
        await askAndUseUntilKilled(worker, approvals, said)
      }
      for (const [approval_id, { expires_at, digest }] of said.asked) {
        expect(await rows().get('t1', approval_id)).toMatchObject({ expires_at, digest })
      }
      for (const approval_id of said.used) {
        const row = await rows().get('t1', approval_id)
        expect(row).toMatchObject({ status: 'used', decision: 'approve', decided_by: 'ana' })
      }
      const { length } = said.used
      expect(new Set(said.used).size).toBe(length)
      const counts = `${said.asked.size} asked, 0 lost, ${length} used, 0 twice`
      console.info(`${subject().kind}: ${kills} kills, ${counts}`)
    },
    30_000 + kills * 5_000,
  )
})

/** The worker asks, and it and this process use, until it is killed at a random moment. */
async function askAndUseUntilKilled(
  worker: Worker,
  approvals: Approvals,
  said: { asked: Map<string, ApprovalRow>; used: string[] },
): Promise<void> {
  let ofWorker = 0
  worker.process.on('message', ({ asked, used }: { asked?: ApprovalRow; used?: string }) => {
    if (asked) said.asked.set(asked.approval_id, asked)
    if (used) ofWorker = said.used.push(used)
  })
  void worker.run('askForEver', randomUUID())
  void worker.run('useForEver')
  const killAt = randomInt(5, 20)
  for (const from = said.used.length; said.used.length < from + killAt || ofWorker === 0; ) {
    for await (const used of useNewest(approvals)) said.used.push(used)
  }
  await worker.kill()
}

/** On SQLite, as on one machine, with the KV of their parent; on servers with Redis. */
async function startTwo(stack: AsyncDisposableStack, url: string, kind: string) {
  if (kind !== 'sqlite' && hasRedis) {
    const scope = stack.use(await createRedisScope())
    const start = () => stack.use(startWorker([url, scope.url, scope.prefix]))
    return [start(), start()] as const
  }
  const kv = stack.use(createMemoryKv())
  const start = () => {
    const worker = stack.use(startWorker([url]))
    stack.defer(serveKv({ kv, worker: worker.process }))
    return worker
  }
  return [start(), start()] as const
}
