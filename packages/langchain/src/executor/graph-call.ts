import type { DrivenTurn, RequestedCall, SubTurn, ToolReply } from '@dataagent/core'
import type { OwnTool, OwnToolContext } from '@dataagent/hub'
import { ToolMessage } from '@langchain/core/messages'
import { Command, isCommand } from '@langchain/langgraph'
import { splitAnswer, toPlan } from '../tools/index.ts'
import { inPlace, type Place, type Waiting } from './place.ts'

/** A tool call of the graph's model. */
export interface GraphCall {
  here: Place
  turn: DrivenTurn
  call: RequestedCall
  /** Undefined for a tool that the hub runs itself. */
  tool: OwnTool | undefined
  /** Runs the graph's own tool. */
  execute(args: Record<string, unknown>): Promise<unknown>
}

/**
 * Runs a call through the hub and gives what the graph goes on with: the tool's own message or
 * command, with the words that the hub lets the model read.
 */
export async function runGraphCall(graphCall: GraphCall): Promise<ToolMessage | Command> {
  const { here, turn, call, tool } = graphCall
  let given: unknown
  const waiting: Waiting = {
    tool_call_id: call.id,
    async execute(args) {
      given = await graphCall.execute(args)
      tellTodos(turn, given)
      return given
    },
  }
  const reply = await inPlace({ ...here, waiting }, () => turn.runCall(call, tool))
  const answer = withWords(call, reply, given)
  if (mayPass.has(reply.outcome) && ToolMessage.isInstance(answer)) throw new CallFailure(answer)
  return answer
}

/** Ends that another try may change; a refusal of a person or a rule is told as it is. */
const mayPass: ReadonlySet<string> = new Set(['error', 'failed', 'timeout', 'unavailable'])

/** A call that has failed, as middlewares for that expect it. */
class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly answer: ToolMessage

  constructor(answer: ToolMessage) {
    super(answer.text)
    this.answer = answer
  }
}

/** The failure of a call that no middleware has dealt with; each wraps it once. */
export function findFailure(error: unknown): CallFailure | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 30; depth += 1) {
    if (cause instanceof CallFailure) return cause
    cause = cause.cause as Error
  }
  return undefined
}

/**
 * Runs the tool of the call under way where the hub lets it, and gives the message that answers it:
 * what it asks is a sub-agent's turn.
 */
export async function executeAdmitted(
  here: Place,
  args: Record<string, unknown>,
  context: OwnToolContext,
): Promise<unknown> {
  const { notes, waiting } = here
  const caller = here.turn('')
  const tool_call_id = waiting?.tool_call_id ?? ''
  let sub: SubTurn | undefined
  const place: Place = {
    turn: (prompt) => {
      sub ??= caller.openSub(context, prompt)
      return sub
    },
    notes,
    admitted: { tool_call_id, context, isBegun: false },
  }
  try {
    const given = await inPlace(place, async () => await waiting?.execute(args))
    sub?.end()
    return answerIn(given, tool_call_id)
  } catch (error) {
    sub?.end(error)
    throw error
  }
}

/** The message that answers the call, in what its tool has given. */
function answerIn(given: unknown, tool_call_id: string): unknown {
  return isCommand(given) ? (splitAnswer(toUpdate(given), tool_call_id).answer ?? '') : given
}

function toUpdate({ update }: Command): Record<string, unknown> {
  return Array.isArray(update) ? Object.fromEntries(update) : { ...(update as object) }
}

function withWords(call: RequestedCall, reply: ToolReply, given: unknown): ToolMessage | Command {
  const { content, status } = reply
  const words = { content, status, tool_call_id: call.id, name: call.name }
  if (status === 'error' || given === undefined) return new ToolMessage(words)
  if (ToolMessage.isInstance(given)) return new ToolMessage({ ...toFields(given), ...words })
  if (!isCommand(given)) return new ToolMessage(words)
  const { goto, graph } = given
  return new Command({
    ...(graph !== undefined && { graph }),
    ...(goto !== undefined && { goto: goto as never }),
    update: withWordsInUpdate(given, words),
  })
}

type Words = ConstructorParameters<typeof ToolMessage>[0] & object

function withWordsInUpdate(command: Command, words: Words): Record<string, unknown> {
  const fields = toUpdate(command)
  const { messages = [] } = fields
  const list: unknown[] = Array.isArray(messages) ? messages : [messages]
  return { ...fields, messages: list.map((message) => withWordsIn(message, words)) }
}

function withWordsIn(message: unknown, words: Words): unknown {
  const isAnswer =
    ToolMessage.isInstance(message) && message.tool_call_id === (words as ToolMessage).tool_call_id
  return isAnswer ? new ToolMessage({ ...toFields(message), ...words } as Words) : message
}

function toFields(message: ToolMessage) {
  const { id, artifact, additional_kwargs, response_metadata, metadata } = message
  return {
    ...(id !== undefined && { id }),
    ...(metadata !== undefined && { metadata }),
    ...{ artifact, additional_kwargs, response_metadata },
  }
}

/** A plan in the state is the agent's plan. */
function tellTodos(turn: DrivenTurn, given: unknown): void {
  if (!isCommand(given)) return
  const { todos } = toUpdate(given)
  const event = toPlan(todos)
  if (event) turn.runtime.emit(event)
}
