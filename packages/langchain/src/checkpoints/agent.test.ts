import { describeSql } from '@dataagent/store/sql/describe-sql'
import {
  Command,
  DeltaValue,
  END,
  INTERRUPT,
  START,
  StateGraph,
  StateSchema,
} from '@langchain/langgraph'
import {
  AIMessage,
  type AnyAgentMiddleware,
  createAgent,
  fakeModel,
  humanInTheLoopMiddleware,
  tool,
} from 'langchain'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type CheckpointSaver, createCheckpointSaver } from './checkpoint-saver.ts'
import { aThread, collect, threadIdOf } from './test-threads.ts'

const call = { name: 'send_mail', args: { to: 'ann' }, id: 'call-1' }
/** Its options are of a generation of zod that is not ours. */
const approval: unknown = humanInTheLoopMiddleware({ interruptOn: { send_mail: true } } as never)

await describeSql('on our checkpoints', (subject) => {
  /** As another process has it. */
  const aSaver = () => createCheckpointSaver({ store: subject().open().checkpoints })

  test('an agent that waits for a person goes on in another process', async () => {
    const thread = aThread()
    const sent: string[] = []
    const sendMail = tool((input) => `${sent.push((input as typeof call.args).to)} sent`, {
      name: 'send_mail',
      schema: { type: 'object', properties: { to: { type: 'string' } } },
    })
    const anAgent = (model: ReturnType<typeof fakeModel>) =>
      createAgent({
        model,
        tools: [sendMail],
        middleware: [approval as AnyAgentMiddleware],
        checkpointer: aSaver(),
      })
    const asking = anAgent(fakeModel().respond(new AIMessage({ content: '', tool_calls: [call] })))
    const asked = await asking.invoke({ messages: 'write to Ann' }, thread)
    expect(asked).toHaveProperty(INTERRUPT)
    expect(sent).toEqual([])

    const answering = anAgent(fakeModel().respond(new AIMessage('done')))
    const approved = new Command({ resume: { decisions: [{ type: 'approve' }] } })
    const { messages } = await answering.invoke(approved, thread)
    expect(sent).toEqual(['ann'])
    expect(messages.map(({ text }) => text)).toEqual(['write to Ann', '', '1 sent', 'done'])

    const next = anAgent(fakeModel().respond((known) => new AIMessage(`${known.length} known`)))
    const turn = await next.invoke({ messages: 'and now?' }, thread)
    expect(turn.messages.at(-1)?.text).toBe('5 known')
  })

  test('two branches of a thread keep their own values', async () => {
    const thread = aThread()
    const graph = aLog(aSaver())
    await graph.invoke({ log: ['a'] }, thread)
    const [, middle] = await collect(graph.getStateHistory(thread))
    const first = await graph.invoke({ log: ['b'] }, thread)
    const second = await graph.invoke({ log: ['c'] }, middle!.config)
    expect(first.log).toEqual(['a', 'step', 'b', 'step'])
    expect(second.log).toEqual(['a', 'c', 'step'])
    const ends = (await collect(graph.getStateHistory(thread)))
      .filter(({ next }) => next.length === 0)
      .map(({ values }) => values.log)
    expect(ends).toEqual([second.log, first.log, ['a', 'step']])
  })

  test('an update of a node that cannot be known is refused, as LangGraph means it', async () => {
    const thread = aThread()
    const graph = new StateGraph<{ log: string[] }>({ channels: { log: appended } })
      .addNode('left', () => ({ log: ['left'] }))
      .addNode('right', () => ({ log: ['right'] }))
      .addEdge(START, 'left')
      .addEdge(START, 'right')
      .compile({ checkpointer: aSaver() })
    await graph.invoke({ log: [] }, thread)
    await expect(graph.updateState(thread, { log: ['x'] })).rejects.toThrow('Ambiguous update')
  })

  test('a channel of changes is put together again, before and after pruning', async () => {
    const thread = aThread()
    const reducer = (list: string[], writes: string[][]) => [...list, ...writes.flat()]
    const log = new DeltaValue(z.array(z.string()).default([]), { reducer, snapshotFrequency: 5 })
    const aGraph = () =>
      new StateGraph(new StateSchema({ log }))
        .addNode('step', () => ({ log: ['step'] }))
        .addEdge(START, 'step')
        .addEdge('step', END)
        .compile({ checkpointer: aSaver() })
    const expected: string[] = []
    for (let n = 0; n < 9; n += 1) {
      expected.push(`${n}`, 'step')
      const { log } = await aGraph().invoke({ log: [`${n}`] }, thread)
      expect(log).toEqual(expected)
      await aSaver().prune(threadIdOf(thread), { keep: 2 })
    }
    const left = await collect(aSaver().list(thread))
    expect(left.length).toBeLessThan(16)
  })
})

const appended = {
  reducer: (list: string[], more: string[]) => [...list, ...more],
  default: () => [],
}

function aLog(checkpointer: CheckpointSaver) {
  return new StateGraph<{ log: string[] }>({ channels: { log: appended } })
    .addNode('step', () => ({ log: ['step'] }))
    .addEdge(START, 'step')
    .addEdge('step', END)
    .compile({ checkpointer })
}
