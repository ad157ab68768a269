import type { DrivenTurn, TurnDriver } from '@dataagent/core'
import type { OwnToolContext } from '@dataagent/hub'
import { AppError, isAppError } from '@dataagent/schema'
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import type { AgentMiddleware } from 'langchain'
import { createMessageBook, type MessageBook } from '../messages/index.ts'
import { countingUsage, toLangChainModel } from '../models/index.ts'
import type { AnyReactAgent, GraphParts, LangChainExecutorOptions, OwnParts } from './contract.ts'
import { answerOpenCalls, createGoverning, endReply } from './governing.ts'
import { createOwnTools, toGraphTool } from './graph-tools.ts'
import { Listener } from './listener.ts'
import { findPlace, inPlace, type Notes, place } from './place.ts'
import { findWayOn, type StateSnapshot, type Thread, toInput, toThread } from './thread.ts'
import { createThreadSaver } from './thread-saver.ts'
import { toRunError } from './to-run-error.ts'

/** Works on turns with LangChain's graphs. */
export function createGraphDriver(options: LangChainExecutorOptions): TurnDriver {
  const { createGraph, agent, keepCheckpoints = 1 } = options
  const checkpointer = createThreadSaver(options.checkpointer)
  const ownToolOf = createOwnTools(options.toolOptions)
  const onRestart = () => findPlace()?.teller?.restart()
  const model = toLangChainModel(agent.model, { onRestart })

  return {
    async drive(turn) {
      const book = createMessageBook()
      const notes: Notes = { said: new Set(), unended: new Map(), hadTooManyTurns: false }
      const platform = turn.tools.map(toGraphTool)
      const platformTools = new Set(platform)
      const governing = () => createGoverning({ book, ownToolOf, platformTools })
      const parts = toParts({ turn, model, checkpointer, tools: platform, governing })
      try {
        const graph = requireAgent(await createGraph(parts))
        const run = () => runGraph(options, { turn, graph, book })
        const counted = () => countingUsage(turn.runtime.addUsage, run)
        await inPlace({ turn: () => turn, notes }, counted)
      } catch (error) {
        if (turn.signal.aborted) throw turn.signal.reason
        if (isRecursion(error)) notes.hadTooManyTurns = true
        if (!notes.hadTooManyTurns) throw toRunError(error)
      }
      await prune(options, turn, keepCheckpoints)
      return notes.hadTooManyTurns ? 'too_many_turns' : 'answered'
    },
  }
}

function requireAgent(graph: AnyReactAgent): AnyReactAgent {
  if ((graph as Partial<AnyReactAgent>).graph !== undefined) return graph
  const told = "createGraph must give what LangChain's createAgent or createDeepAgent gives."
  throw new AppError('config_invalid', told)
}

function isRecursion(error: unknown): boolean {
  return (error as { lc_error_code?: unknown } | null)?.lc_error_code === 'GRAPH_RECURSION_LIMIT'
}

interface PartsOptions extends Pick<GraphParts, 'model' | 'tools' | 'checkpointer'> {
  turn: DrivenTurn
  governing(): [AgentMiddleware, AgentMiddleware]
}

function toParts(options: PartsOptions): GraphParts {
  const { turn, model, tools, checkpointer, governing } = options
  const { systemPrompt } = turn
  const middleware: GraphParts['middleware'] = (own = []) => {
    const [gate, steps] = governing()
    return [gate, ...(own as readonly AgentMiddleware[]), steps]
  }
  return {
    ...{ model, systemPrompt, tools, checkpointer, middleware },
    agent: (own = {}) => ({
      ...{ model, systemPrompt, checkpointer, middleware: middleware(own.middleware) },
      tools: [...withoutTaken(tools, own), ...(own.tools ?? [])],
    }),
    context: () => findPlace()?.admitted?.context ?? toTurnContext(turn),
  }
}

/** The graph's own tool wins over one of ours with its name. */
export function withoutTaken(
  tools: readonly StructuredToolInterface[],
  { tools: own = [], middleware = [] }: OwnParts,
): StructuredToolInterface[] {
  const brought = (middleware as readonly AgentMiddleware[]).flatMap((one) => one.tools ?? [])
  const taken = new Set([...own, ...brought].map((one) => (one as { name?: unknown }).name))
  return tools.filter(({ name }) => !taken.has(name))
}

/** What a middleware does with files by itself is the turn's. */
function toTurnContext({ runtime, session_id, run_id }: DrivenTurn): OwnToolContext {
  const { principal, signal, emit } = runtime
  return { principal, session_id, signal, emit, call_id: run_id }
}

interface GraphTurn {
  turn: DrivenTurn
  graph: AnyReactAgent
  book: MessageBook
}

async function runGraph(
  options: LangChainExecutorOptions,
  { turn, graph, book }: GraphTurn,
): Promise<void> {
  const { session_id, signal, runtime } = turn
  const config = {
    configurable: { thread_id: session_id },
    context: runtime.context,
    callbacks: [new Listener()],
    signal,
    // Turns are counted by what asks the model; this is for a graph that asks nobody.
    recursionLimit: 100 + turn.maxTurns * 20,
    // A call that has begun must be known to have been asked for.
    durability: 'sync' as const,
  }
  const read = async () => (await graph.graph.getState(config)) as StateSnapshot
  const thread = await openThread(options, turn, read)
  const wayOn = findWayOn(turn, thread)
  if (wayOn === 'ended') return sayLast(turn, thread.messages)
  if (wayOn === 'anew' && turn.isLeft) await turn.giveUpCalls()
  const input = wayOn === 'go_on' ? null : toInput(turn, thread, book)
  const state = (await graph.invoke(input as never, config)) as GraphState
  if (state.__interrupt__ !== undefined) throw interrupted()
  await endReply(turn, state.messages)
  await answerOpenCalls(turn, state.messages)
  const { said, hadTooManyTurns } = place().notes
  if (said.has(state.messages.at(-1)?.id ?? '')) return
  if (!turn.isRejected && !hadTooManyTurns) sayLast(turn, state.messages)
}

/** A thread that cannot be read, or was another session's of the same id, is begun anew. */
async function openThread(
  { checkpointer, onError }: LangChainExecutorOptions,
  { session_id, run_id, previous_run }: DrivenTurn,
  read: () => Promise<StateSnapshot>,
): Promise<Thread> {
  try {
    const thread = toThread(await read())
    const isOther = previous_run === undefined && thread.run_id !== run_id
    if (!isOther || thread.run_id === undefined) return thread
  } catch (error) {
    if (!isAppError(error, 'invalid_result')) throw error
    onError?.(error, { session_id, run_id })
  }
  await checkpointer.deleteThread(session_id)
  return toThread({})
}

/**
 * What the log does not have yet: a middleware's words, those that a dead process had read, or the
 * result of a tool that is the answer (`returnDirect`).
 */
function sayLast(turn: DrivenTurn, messages: readonly BaseMessage[]): void {
  const last = messages.at(-1)
  const isAnswer = ToolMessage.isInstance(last) && last.status !== 'error'
  if ((isAnswer || AIMessage.isInstance(last)) && last.text !== '') turn.say(last.text)
}

function interrupted(): AppError {
  return new AppError(
    'invalid_request',
    'The graph called interrupt(), which nobody here answers: people are asked by the policy of ' +
      "tools. Let a tool ask with approval: 'ask', and leave out humanInTheLoopMiddleware.",
  )
}

/** Old checkpoints are of no use: the log has the session's history. */
async function prune(
  { checkpointer, onError }: LangChainExecutorOptions,
  { session_id, run_id }: DrivenTurn,
  keep: number,
): Promise<void> {
  try {
    if (isPruning(checkpointer)) await checkpointer.prune(session_id, { keep })
  } catch (error) {
    onError?.(error, { session_id, run_id })
  }
}

interface Pruning {
  prune(thread_id: string, options: { keep: number }): Promise<void>
}

function isPruning<T extends object>(checkpointer: T): checkpointer is T & Pruning {
  return 'prune' in checkpointer && typeof checkpointer.prune === 'function'
}

interface GraphState {
  messages: BaseMessage[]
  __interrupt__?: unknown
}
