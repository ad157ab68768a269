import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSql } from '@dataagent/store/sql'
import { temporaryDirectory } from '@dataagent/testkit'
import { END, START, StateGraph } from '@langchain/langgraph'
import { AIMessage, createAgent, fakeModel, HumanMessage, tool } from 'langchain'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type CheckpointSaver, createCheckpointSaver } from './checkpoint-saver.ts'
import { aThread } from './test-threads.ts'

test.each([
  { history: 10, most: 40_000 },
  { history: 100, most: 50_000 },
  { history: 1_000, most: 100_000 },
])('a turn of an agent with $history messages stores $most bytes at the most', async (row) => {
  await using at = await aDatabase()
  const thread = aThread()
  const messages = Array.from({ length: row.history }, (_, n) =>
    n % 2 === 0 ? new HumanMessage(textOf(n)) : new AIMessage(textOf(n)),
  )
  await anAgent(at.saver).invoke({ messages }, thread)
  const before = at.storedBytes()
  await anAgent(at.saver).invoke({ messages: [new HumanMessage(textOf(-1))] }, thread)
  expect(at.storedBytes() - before).toBeLessThan(row.most)
  expect(at.storedBytes() - before).toBeGreaterThan(4 * 300)
})

test('a channel that a turn leaves alone is not stored again', async () => {
  await using at = await aDatabase()
  const thread = aThread()
  const last = { reducer: (_: string, next: string) => next, default: () => '' }
  const graph = new StateGraph<{ files: string; note: string }>({
    channels: { files: last, note: last },
  })
    .addNode('step', () => ({ note: 'seen' }))
    .addEdge(START, 'step')
    .addEdge('step', END)
    .compile({ checkpointer: at.saver })
  await graph.invoke({ files: textOf(-2, 100_000) }, thread)
  const before = at.storedBytes()
  for (let n = 0; n < 5; n += 1) await graph.invoke({ note: `${n}` }, thread)
  expect(at.storedBytes() - before).toBeLessThan(5 * 5_000)
  expect(at.countValues('files')).toBe(1)
  expect((await graph.getState(thread)).values.files).toHaveLength(100_000)
})

/** Looks up a thing with its tool, then answers. */
function anAgent(checkpointer: CheckpointSaver) {
  const call = { name: 'look', args: { at: 'it' }, id: 'call-1' }
  return createAgent({
    model: fakeModel()
      .respond(new AIMessage({ content: '', tool_calls: [call] }))
      .respond(new AIMessage(textOf(-3))),
    tools: [tool(() => textOf(-4), { name: 'look', schema: z.object({ at: z.string() }) })],
    checkpointer,
  })
}

/** Words that no other number has. */
function textOf(n: number, length = 300): string {
  const words = createHash('shake256', { outputLength: length }).update(`${n}`).digest('base64')
  return words.replaceAll('+', ' ').slice(0, length)
}

const columns = {
  checkpoints: ['history_id', 'checkpoint_id', 'channel_versions', 'checkpoint', 'metadata'],
  checkpoint_values: ['history_id', 'channel', 'version', 'parts', 'tail'],
  checkpoint_writes: ['history_id', 'checkpoint_id', 'task_id', 'channel', 'parts', 'tail'],
  checkpoint_parts: ['history_id', 'hash', 'bytes'],
}

async function aDatabase() {
  await using made = new AsyncDisposableStack()
  const folder = made.use(await temporaryDirectory())
  const path = join(folder.path, 'growth.db')
  const store = made.use(openSql({ url: `sqlite:${path}` }))
  await store.migrate()
  const db = made.use(new DatabaseSync(path, { readOnly: true }))
  const cleanup = made.move()
  const one = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0])
  return {
    saver: createCheckpointSaver({ store: store.checkpoints }),
    storedBytes: () =>
      Object.entries(columns).reduce((bytes, [table, names]) => {
        const size = names.map((name) => `length(cast(${name} as blob))`).join(' + ')
        return bytes + one(`select coalesce(sum(${size}), 0) from ${table}`)
      }, 0),
    countValues: (channel: string) =>
      one(`select count(*) from checkpoint_values where channel = '${channel}'`),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}
