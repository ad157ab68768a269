// Our checkpointer in a program that is LangGraph's alone. A line of the URL changes the database:
// sqlite:FILE, mysql://… (MySQL, MariaDB) or postgres://…
import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCheckpointSaver } from '@dataagent/langchain'
import { openSql } from '@dataagent/store/sql'
import {
  Command,
  END,
  INTERRUPT,
  interrupt,
  START,
  StateGraph,
  StateSchema,
} from '@langchain/langgraph'
import { z } from 'zod'

await using folder = await mkdtempDisposable(join(tmpdir(), 'threads-'))
const url = `sqlite:${join(folder.path, 'threads.db')}`

const state = new StateSchema({ trip: z.string(), booked: z.boolean().default(false) })

/** A graph as another process would make it, on the same database. */
async function openGraph() {
  await using made = new AsyncDisposableStack()
  const sql = made.use(openSql({ url }))
  await sql.migrate()
  const checkpointer = createCheckpointSaver({ store: sql.checkpoints })
  const graph = new StateGraph(state)
    .addNode('book', ({ trip }) => ({ booked: interrupt(`Book ${trip}?`) === 'yes' }))
    .addEdge(START, 'book')
    .addEdge('book', END)
    .compile({ checkpointer })
  const cleanup = made.move()
  return { graph, checkpointer, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}

const thread = { configurable: { thread_id: 'trip-1' } }

// LangGraph's own interrupts work here: nothing else of the platform is in this program.
{
  await using first = await openGraph()
  const asked = await first.graph.invoke({ trip: 'Lima' }, thread)
  console.log(JSON.stringify(asked))
  assert(INTERRUPT in asked)
}

await using second = await openGraph()
const { graph, checkpointer } = second
const ended = await graph.invoke(new Command({ resume: 'yes' }), thread)
console.log(ended)
assert.deepEqual(ended, { trip: 'Lima', booked: true })

// Time travel, and how to be rid of it.
const history = await Array.fromAsync(graph.getStateHistory(thread))
assert.equal(history.length, 3)
const removed = await checkpointer.prune('trip-1', { keep: 1 })
console.log(`${removed} checkpoints removed`)
assert.equal(removed, 2)
assert.deepEqual((await graph.getState(thread)).values, ended)

// A tenant's threads are its own.
{
  await using sql = openSql({ url })
  const other = createCheckpointSaver({ store: sql.checkpoints, tenant_id: 'other' })
  assert.equal(await other.getTuple(thread), undefined)
}
