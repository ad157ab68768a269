import { randomBytes, randomUUID } from 'node:crypto'
import { describeSql } from '@dataagent/store/sql/describe-sql'
import { ERROR, uuid6 } from '@langchain/langgraph-checkpoint'
import { describe, expect, test } from 'vitest'
import { createCheckpointSaver } from './checkpoint-saver.ts'
import {
  aCheckpoint,
  anEmptySaver,
  aThread,
  collect,
  metadata,
  put,
  threadIdOf,
} from './test-threads.ts'

const mebibyte = 1024 * 1024

await describeSql('checkpoints', (subject) => {
  const store = () => subject().store.checkpoints
  const saver = () => createCheckpointSaver({ store: store() })

  test('a checkpoint comes back as it was put, and by another saver', async () => {
    const values = {
      text: 'Grüße, 世界 🌍 \0 \ud800',
      bytes: new Uint8Array([0, 255, 128]),
      none: undefined,
      set: new Set([1]),
      __proto__own: { nested: [null, 1.5] },
    }
    const checkpoint = aCheckpoint(values, { versions_seen: { node: { text: 1 } } })
    const config = await put(saver(), aThread('tools:1'), checkpoint)
    const found = await saver().getTuple(config)
    expect(found).toEqual({ config, checkpoint, metadata, pendingWrites: [] })
  })

  test('without an id the newest is found, whatever the order of puts', async () => {
    const thread = aThread()
    const [older, newer] = [aCheckpoint(), aCheckpoint()]
    await put(saver(), thread, newer)
    await put(saver(), thread, older)
    expect((await saver().getTuple(thread))?.checkpoint.id).toBe(newer.id)
  })

  test('put again under the same id it is replaced, and its writes stay', async () => {
    const thread = aThread()
    const checkpoint = aCheckpoint()
    const config = await put(saver(), thread, checkpoint)
    await saver().putWrites(config, [['a', 1]], 'task')
    await saver().put(thread, checkpoint, { ...metadata, step: 7 }, {})
    const found = await collect(saver().list(thread))
    expect(found).toMatchObject([{ metadata: { step: 7 }, pendingWrites: [['task', 'a', 1]] }])
  })

  test('writes of a task stay as they were first; those of its state are renewed', async () => {
    const config = await put(saver(), aThread())
    await saver().putWrites(
      config,
      [
        ['a', 1],
        [ERROR, 'first'],
      ],
      'task',
    )
    await saver().putWrites(
      config,
      [
        ['a', 2],
        [ERROR, 'second'],
        [ERROR, 'third'],
      ],
      'task',
    )
    const found = await saver().getTuple(config)
    expect(found?.pendingWrites).toEqual([
      ['task', ERROR, 'third'],
      ['task', 'a', 1],
    ])
  })

  test('writes may come before their checkpoint', async () => {
    const thread = aThread()
    const checkpoint = aCheckpoint()
    const { thread_id, checkpoint_ns } = thread.configurable ?? {}
    const config = { configurable: { thread_id, checkpoint_ns, checkpoint_id: checkpoint.id } }
    await saver().putWrites(config, [['a', 1]], 'task')
    expect(await saver().getTuple(config)).toBeUndefined()
    await put(saver(), thread, checkpoint)
    expect((await saver().getTuple(config))?.pendingWrites).toEqual([['task', 'a', 1]])
  })

  test('a list goes through every page, in order, each checkpoint once', async () => {
    const own = anEmptySaver(store())
    const threads = [aThread(), aThread(), aThread('child')]
    const ids = Array.from({ length: 230 }, () => uuid6(3))
    for (const [n, id] of ids.entries()) {
      await put(own, threads[n % 3]!, aCheckpoint({}, { id }))
    }
    // The same id in another thread, where one page ends.
    await put(own, threads[0]!, aCheckpoint({}, { id: ids[130]! }))
    const found = (await collect(own.list({}))).map(({ checkpoint }) => checkpoint.id)
    expect(found).toEqual([...ids, ids[130]].sort().reverse())
  })

  test('a list is narrowed by nested metadata', async () => {
    const thread = aThread()
    for (const parents of [{ '': 'a' }, { '': 'b' }]) {
      await saver().put(thread, aCheckpoint(), { ...metadata, parents }, {})
    }
    const found = await collect(saver().list(thread, { filter: { parents: { '': 'b' } } }))
    expect(found.map((tuple) => tuple.metadata?.parents)).toEqual([{ '': 'b' }])
  })

  test('a thread that is deleted is gone with all of its namespaces, and no other', async () => {
    const own = anEmptySaver(store())
    const [thread, other] = [aThread(), aThread()]
    const child = { configurable: { ...thread.configurable, checkpoint_ns: 'child' } }
    for (const config of [thread, child, other]) {
      await own.putWrites(await put(own, config, aCheckpoint({ a: 1 })), [['a', 1]], 'task')
    }
    await own.deleteThread(threadIdOf(thread))
    expect(await own.getTuple(thread)).toBeUndefined()
    expect(await own.getTuple(child)).toBeUndefined()
    expect(await collect(own.list({}))).toHaveLength(1)
  })

  describe('tenants', () => {
    test('the same thread of two tenants is two threads', async () => {
      const savers = ['', 'acme', 'umbrella'].map((tenant_id) =>
        createCheckpointSaver({ store: store(), tenant_id }),
      )
      const thread = aThread()
      const shared = uuid6(3)
      for (const [n, own] of savers.entries()) {
        const config = await put(own, thread, aCheckpoint({ n }, { id: shared }))
        await own.putWrites(config, [['n', n]], 'task')
      }
      for (const [n, own] of savers.entries()) {
        const [found, ...more] = await collect(own.list(thread))
        expect(more).toEqual([])
        expect(found).toMatchObject({
          checkpoint: { channel_values: { n } },
          pendingWrites: [['task', 'n', n]],
        })
      }
    })

    test("another tenant's thread cannot be read, listed, pruned or deleted", async () => {
      const [own, other] = [anEmptySaver(store()), anEmptySaver(store())]
      const thread = aThread()
      const first = await put(own, thread, aCheckpoint({ secret: 1 }))
      const config = await put(own, first, aCheckpoint({ secret: 2 }))
      await other.deleteThread(threadIdOf(thread))
      expect(await other.prune(threadIdOf(thread), { keep: 1 })).toBe(0)
      expect(await other.getTuple(config)).toBeUndefined()
      expect(await collect(other.list({}))).toEqual([])
      const history = await other.getDeltaChannelHistory({ config, channels: ['secret'] })
      expect(history).toEqual({ secret: { writes: [] } })
      expect(await collect(own.list(thread))).toHaveLength(2)
    })

    test('no tenant and thread together can be taken for others', async () => {
      const savers = [
        ['a', 'b/c'],
        ['a/b', 'c'],
      ].map(([tenant_id, thread_id]) => ({
        own: createCheckpointSaver({ store: store(), tenant_id: tenant_id! }),
        thread: { configurable: { thread_id } },
      }))
      await put(savers[0]!.own, savers[0]!.thread)
      expect(await savers[1]!.own.getTuple(savers[1]!.thread)).toBeUndefined()
    })
  })

  describe('large values', () => {
    test('64 MiB come back as they were, as a value and as a write', {
      timeout: 120_000,
    }, async () => {
      const thread = aThread()
      const bytes = new Uint8Array(randomBytes(64 * mebibyte))
      const config = await put(saver(), thread, aCheckpoint({ bytes }))
      await saver().putWrites(config, [['bytes', bytes]], 'task')
      const found = await saver().getTuple(config)
      expect(Buffer.compare(found?.checkpoint.channel_values.bytes as Uint8Array, bytes)).toBe(0)
      expect(Buffer.compare(found?.pendingWrites?.[0]?.[2] as Uint8Array, bytes)).toBe(0)
      await saver().deleteThread(threadIdOf(thread))
    })

    test('a value above that is refused by name, and nothing of it is stored', async () => {
      const thread = aThread()
      const bytes = new Uint8Array(64 * mebibyte + 1)
      await expect(put(saver(), thread, aCheckpoint({ bytes }))).rejects.toMatchObject({
        code: 'too_large',
        message: expect.stringContaining('channel bytes'),
      })
      expect(await saver().getTuple(thread)).toBeUndefined()
    })

    test('metadata of more than a mebibyte are refused', async () => {
      const large = { ...metadata, note: 'x'.repeat(mebibyte) }
      const attempt = saver().put(aThread(), aCheckpoint(), large, {})
      await expect(attempt).rejects.toMatchObject({ code: 'too_large' })
    })
  })

  describe('bad input', () => {
    const thread_ids = ['', ' a', 'a ', 'a\0', 'x'.repeat(192), 7, null]

    test.each(thread_ids)('a thread %j is refused', async (thread_id) => {
      const config = { configurable: { thread_id } }
      const refused = { code: 'invalid_request', message: expect.stringContaining('thread_id') }
      await expect(put(saver(), config)).rejects.toMatchObject(refused)
      await expect(saver().getTuple(config)).rejects.toMatchObject(refused)
    })

    test('a thread of 191 characters and a namespace of any length are taken', async () => {
      const thread_id = randomUUID().padEnd(191, '界')
      const checkpoint_ns = 'tools:0123456789|'.repeat(200)
      const config = await put(saver(), { configurable: { thread_id, checkpoint_ns } })
      expect(await saver().getTuple(config)).toMatchObject({ config })
    })

    test('a tenant, a checkpoint, a task or a channel that cannot be kept apart is refused', async () => {
      const refused = { code: 'invalid_request' }
      const spaced = createCheckpointSaver({ store: store(), tenant_id: 'acme ' })
      await expect(put(spaced, aThread())).rejects.toMatchObject(refused)
      const config = await put(saver(), aThread())
      const odd = aCheckpoint({}, { id: 'x'.repeat(192) })
      await expect(put(saver(), config, odd)).rejects.toMatchObject(refused)
      await expect(put(saver(), config, aCheckpoint({ 'a ': 1 }))).rejects.toMatchObject(refused)
      await expect(saver().putWrites(config, [['a', 1]], '')).rejects.toMatchObject(refused)
      await expect(saver().putWrites(aThread(), [['a', 1]], 'task')).rejects.toMatchObject(refused)
    })
  })

  describe('at once', () => {
    test('puts and writes of two processes to one thread are all there, each whole', async () => {
      const thread = aThread()
      const savers = [saver(), createCheckpointSaver({ store: subject().open().checkpoints })]
      const shared = 'x'.repeat(40_000)
      const checkpoints = Array.from({ length: 40 }, (_, n) =>
        aCheckpoint({ text: `${shared}${n}` }, { channel_versions: { text: n + 1 } }),
      )
      await Promise.all(
        checkpoints.map(async (checkpoint, n) => {
          const own = savers[n % 2]!
          const config = await put(own, thread, checkpoint)
          await own.putWrites(config, [['text', `${shared}${n}`]], 'task')
        }),
      )
      const found = await collect(saver().list(thread))
      expect(found.reverse().map(({ checkpoint }) => checkpoint)).toEqual(checkpoints)
      for (const { checkpoint, pendingWrites } of found) {
        expect(pendingWrites).toEqual([['task', 'text', checkpoint.channel_values.text]])
      }
    })

    test('the same checkpoint by two processes is one', async () => {
      const thread = aThread()
      const savers = [saver(), createCheckpointSaver({ store: subject().open().checkpoints })]
      const checkpoint = aCheckpoint({ text: 'x'.repeat(50_000) })
      await Promise.all(
        Array.from({ length: 20 }, (_, n) => put(savers[n % 2]!, thread, checkpoint)),
      )
      expect(await collect(saver().list(thread))).toMatchObject([{ checkpoint }])
    })

    test('what is put while a thread is pruned stays whole', async () => {
      const thread = aThread()
      const thread_id = threadIdOf(thread)
      const pruner = createCheckpointSaver({ store: subject().open().checkpoints })
      const shared = 'x'.repeat(40_000)
      let last = thread
      for (let n = 1; n <= 20; n += 1) {
        const values = { text: `${shared}${n}` }
        const next = aCheckpoint(values, { channel_versions: { text: n } })
        const [config] = await Promise.all([
          put(saver(), last, next),
          pruner.prune(thread_id, { keep: 1 }),
        ])
        last = config
        const found = await saver().getTuple(last)
        expect(found?.checkpoint.channel_values).toEqual(values)
      }
    })
  })
})
