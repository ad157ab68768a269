import { AppError } from '@dataagent/schema'
import { ToolMessage } from '@langchain/core/messages'
import type { Command } from '@langchain/langgraph'

type Fields = Readonly<Record<string, unknown>>

/** What a `Command` changes of the state. Throws where it goes elsewhere: there is no graph. */
export function readCommand(command: Command, from: string): Fields {
  const { goto, graph, resume, update } = command
  const goes = goto !== undefined && (!Array.isArray(goto) || goto.length > 0)
  if (goes || graph !== undefined || resume !== undefined) {
    const told = `${from} gave a Command that goes elsewhere in a graph, and there is none.`
    throw new AppError('invalid_result', told)
  }
  return Array.isArray(update) ? Object.fromEntries(update) : ((update ?? {}) as Fields)
}

/** The message among those of an update that answers a call, and what else it changes. */
export function splitAnswer({ messages = [], ...fields }: Fields, tool_call_id: string) {
  const list = (Array.isArray(messages) ? messages : [messages]) as unknown[]
  const answer = list.find(
    (one): one is ToolMessage => ToolMessage.isInstance(one) && one.tool_call_id === tool_call_id,
  )
  const others = list.filter((one) => one !== answer)
  const rest: Fields = others.length > 0 ? { ...fields, messages: others } : fields
  return { answer, rest }
}
