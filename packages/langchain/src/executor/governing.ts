import type { DrivenTurn } from '@dataagent/core'
import type { OwnTool } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { type AgentMiddleware, createMiddleware } from 'langchain'
import { z } from 'zod'
import type { MessageBook } from '../messages/index.ts'
import { countedElsewhere } from '../models/index.ts'
import { findFailure, type GraphCall, runGraphCall } from './graph-call.ts'
import { inPlace, place, type Teller } from './place.ts'
import { findReply, toModelTool, toReply, toRequestedCall, withUsableCalls } from './replies.ts'

export interface GoverningOptions {
  book: MessageBook
  /** The tools of the turn, which the hub runs itself. */
  platformTools: ReadonlySet<StructuredToolInterface>
  /** What the hub is told of a tool that the graph brings. */
  ownToolOf(tool: StructuredToolInterface): OwnTool
}

/** The state's field that says which run a thread has seen last. */
export const runField = 'dataagent_run'

/**
 * What makes a graph's every step one of ours: the model's replies and calls go into the log, its
 * tools through the hub. The first stands before all others, the second next to model and tools.
 */
export function createGoverning(options: GoverningOptions): [AgentMiddleware, AgentMiddleware] {
  return [createGate(), createSteps(options)]
}

/** Ends the graph in its own way, so that its thread can go on later. */
function createGate(): AgentMiddleware {
  // Of a sub-agent, each task is a turn.
  const asked = new WeakMap<DrivenTurn, number>()

  function mayAsk(turn: DrivenTurn): boolean {
    if (turn.isRejected) return false
    if ((asked.get(turn) ?? 0) < turn.maxTurns) return true
    const { notes, admitted } = place()
    if (admitted === undefined) notes.hadTooManyTurns = true
    return false
  }

  return createMiddleware({
    name: 'dataagent_gate',
    stateSchema: z.object({ [runField]: z.string().optional() }),
    beforeModel: {
      canJumpTo: ['end'],
      hook: ({ messages }) =>
        mayAsk(place().turn(taskIn(messages))) ? undefined : { jumpTo: 'end' },
    },
    async wrapModelCall(request, handler) {
      const turn = place().turn(taskIn(request.messages))
      await endReply(turn, request.messages)
      // A jump to the model passes by the hook.
      if (!mayAsk(turn)) throw notAsked()
      asked.set(turn, (asked.get(turn) ?? 0) + 1)
      return await handler(request)
    },
    /** After those of all others: what they have made of the reply is what is said. */
    async afterModel({ messages }) {
      await endReply(place().turn(taskIn(messages)), messages)
      return undefined
    },
    async wrapToolCall(request, handler) {
      await endReply(place().turn(taskIn(request.state.messages)), request.state.messages)
      try {
        return await handler(request)
      } catch (error) {
        const failure = findFailure(error)
        if (failure) return failure.answer
        throw error
      }
    },
  }) as AgentMiddleware
}

function createSteps(options: GoverningOptions): AgentMiddleware {
  const { book, platformTools, ownToolOf } = options
  return createMiddleware({
    name: 'dataagent_steps',

    async wrapModelCall(request, handler) {
      const here = place()
      const turn = here.turn(taskIn(request.messages))
      await answerOpenCalls(turn, request.messages)
      let given: unknown
      const asked = {
        model: { name: nameOf(request.model) },
        systemPrompt: request.systemMessage?.text ?? '',
        messages: request.messages.map(book.fromLangChain),
        tools: request.tools.flatMap(toModelTool),
      }
      await turn.askModel(asked, async (sink) => {
        let isTold = false
        const teller: Teller = {
          text(piece) {
            if (!isTold) sink.begun?.()
            isTold = true
            sink.text(piece)
          },
          restart: sink.restartText,
        }
        const ask = () => countedElsewhere(async () => await handler(request))
        given = await inPlace({ ...here, teller }, ask)
        const message = findReply(given)
        if (message === undefined) throw noReply()
        const reply = toReply(withUsableCalls(message, request.messages))
        // A model that does not stream says all at once.
        if (!isTold && reply.content !== '') teller.text(reply.content)
        return reply
      })
      return given as AIMessage
    },

    async afterModel({ messages }) {
      const { turn, notes } = place()
      const message = messages.findLast((one) => AIMessage.isInstance(one))
      if (message) notes.unended.set(turn(taskIn(messages)), message.id ?? '')
      return undefined
    },

    async wrapToolCall(request, handler) {
      const here = place()
      const { toolCall, tool, state } = request
      const known = tool as StructuredToolInterface | undefined
      const isPlatform = known === undefined || platformTools.has(known)
      const call: GraphCall = {
        ...{ here, turn: here.turn(taskIn(state.messages)) },
        call: toRequestedCall(toolCall),
        tool: isPlatform ? undefined : ownToolOf(known),
        execute: async (args) => await handler({ ...request, toolCall: { ...toolCall, args } }),
      }
      return await runGraphCall(call)
    },
  }) as AgentMiddleware
}

/** What a sub-agent was asked to do. */
function taskIn(messages: readonly BaseMessage[]): string {
  return messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? ''
}

/** The reply that no middleware can change any more is said as it is, and its calls are noted. */
export async function endReply(turn: DrivenTurn, messages: readonly BaseMessage[]): Promise<void> {
  const { notes } = place()
  const id = notes.unended.get(turn)
  const message = messages.findLast((one) => AIMessage.isInstance(one) && one.id === id)
  if (id === undefined || !AIMessage.isInstance(message)) return
  notes.unended.delete(turn)
  await turn.endReply(toReply(message))
  notes.said.add(id)
}

/** Calls that a middleware has answered in the place of a tool have a result in the log as well. */
export async function answerOpenCalls(
  turn: DrivenTurn,
  messages: readonly BaseMessage[],
): Promise<void> {
  for (const id of turn.openCalls) {
    const answer = messages.findLast(
      (message) => ToolMessage.isInstance(message) && message.tool_call_id === id,
    )
    if (!ToolMessage.isInstance(answer)) continue
    const { text: content, status } = answer
    await turn.answerCall(id, { content, isError: status === 'error' })
  }
}

function nameOf(model: unknown): string {
  const { model: name, modelName, _llmType } = model as Record<string, unknown>
  const told = [name, modelName].find((one) => typeof one === 'string') as string | undefined
  const kind = typeof _llmType === 'function' ? String(_llmType.call(model)) : 'langchain'
  if (told === undefined) return `langchain:${kind}`
  return told.includes(':') ? told : `${kind}:${told}`
}

/** A graph that has come here cannot end in its own way. */
function notAsked(): AppError {
  return new AppError('quota_exceeded', 'The model is not asked again in this turn.')
}

function noReply(): AppError {
  return new AppError('upstream_failed', 'The model gave no message.')
}
