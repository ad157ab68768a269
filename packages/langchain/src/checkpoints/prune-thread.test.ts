import { describeSql } from '@dataagent/store/sql/describe-sql'
import type { RunnableConfig } from '@langchain/core/runnables'
import { DeltaSnapshot, TASKS } from '@langchain/langgraph-checkpoint'
import { expect, test } from 'vitest'
import { type CheckpointSaver, createCheckpointSaver } from './checkpoint-saver.ts'
import { aCheckpoint, aThread, collect, metadata, put, threadIdOf } from './test-threads.ts'

await describeSql('pruning a thread', (subject) => {
  const saver = () => createCheckpointSaver({ store: subject().store.checkpoints })

  test('leaves the newest of each namespace, whole, and says how many went', async () => {
    const thread = aThread()
    const child = { configurable: { ...thread.configurable, checkpoint_ns: 'child' } }
    const kept = [...(await grow(saver(), thread, 6)).slice(-2), ...(await grow(saver(), child, 1))]
    const before = await Promise.all(kept.map((config) => saver().getTuple(config)))
    expect(await saver().prune(threadIdOf(thread), { keep: 2 })).toBe(4)
    expect(await Promise.all(kept.map((config) => saver().getTuple(config)))).toEqual(before)
    const { thread_id } = thread.configurable ?? {}
    expect(await collect(saver().list({ configurable: { thread_id } }))).toHaveLength(3)
    expect(await saver().prune(threadIdOf(thread), { keep: 2 })).toBe(0)
  })

  test('leaves a value that was set long ago and is still in use', async () => {
    const [first] = await grow(saver(), aThread(), 1)
    let config = first!
    for (let n = 2; n < 6; n += 1) {
      const channel_versions = { text: 1, n }
      const next = aCheckpoint({ n }, { channel_versions })
      config = await saver().put(config, next, metadata, { n })
    }
    await saver().prune(threadIdOf(config), { keep: 1 })
    const found = await saver().getTuple(config)
    expect(found?.checkpoint.channel_values).toEqual({ text: textOf(1), n: 5 })
  })

  test('leaves what a channel of changes is made of, back to its last whole value', async () => {
    const thread = aThread()
    let config: RunnableConfig = await put(saver(), thread, aCheckpoint({ log: [0] }))
    config = await put(saver(), config, aCheckpoint({ log: new DeltaSnapshot([1]) }))
    for (let n = 2; n < 6; n += 1) {
      await saver().putWrites(config, [['log', [n]]], `task-${n}`)
      const next = aCheckpoint({}, { channel_versions: { log: n } })
      const counters_since_delta_snapshot = { log: [n - 1, n - 1] as [number, number] }
      config = await saver().put(config, next, { ...metadata, counters_since_delta_snapshot }, {})
    }
    const asked = { config, channels: ['log'] }
    const before = await saver().getDeltaChannelHistory(asked)
    expect(before.log?.writes.map(([, , value]) => value)).toEqual([[2], [3], [4], [5]])
    expect(await saver().prune(threadIdOf(thread), { keep: 1 })).toBe(1)
    expect(await saver().getDeltaChannelHistory(asked)).toEqual(before)
  })

  test('leaves what an old checkpoint has yet to send', async () => {
    const [first] = await grow(saver(), aThread(), 2)
    const parent = await put(saver(), first!, aCheckpoint({}, { v: 3 }))
    await saver().putWrites(parent, [[TASKS, 'sent']], 'task')
    const config = await put(saver(), parent, aCheckpoint({}, { v: 3 }))
    await saver().prune(threadIdOf(config), { keep: 1 })
    const found = await saver().getTuple(config)
    expect(found?.checkpoint.channel_values).toEqual({ [TASKS]: ['sent'] })
  })

  test.each([0, -1, 1.5, Number.NaN])('refuses to keep %d', async (keep) => {
    const attempt = saver().prune('thread', { keep })
    await expect(attempt).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

const textOf = (n: number) => `${n} `.repeat(20_000)

/** So many checkpoints, each with another text and a write of it. */
async function grow(saver: CheckpointSaver, thread: RunnableConfig, count: number) {
  const configs: RunnableConfig[] = []
  for (let n = 1; n <= count; n += 1) {
    const checkpoint = aCheckpoint({ text: textOf(n) }, { channel_versions: { text: n } })
    const config = await put(saver, configs.at(-1) ?? thread, checkpoint)
    await saver.putWrites(config, [['text', textOf(n)]], 'task')
    configs.push(config)
  }
  return configs
}
