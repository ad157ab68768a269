import { AppError } from '@dataagent/schema'
import { BaseCallbackHandler } from '@langchain/core/callbacks/base'
import { findPlace } from './place.ts'

type NewToken = Parameters<NonNullable<BaseCallbackHandler['handleLLMNewToken']>>
type ToolStart = Parameters<NonNullable<BaseCallbackHandler['handleToolStart']>>

/**
 * Hears everything in a graph and its sub-graphs: what the model says is told as it comes, and a
 * tool that nothing has let through is not run. The latter is no way to ask for anything; it is
 * what keeps a sub-agent that was made without the middleware from acting on its own.
 */
export class Listener extends BaseCallbackHandler {
  readonly name = 'dataagent'
  override awaitHandlers = true
  override raiseError = true
  /** Lets models stream that are asked for a whole reply. */
  readonly lc_prefer_streaming = true

  override handleLLMNewToken(...[token, , , , , fields]: NewToken): void {
    const { chunk } = fields ?? {}
    const text = chunk && 'message' in chunk ? chunk.message.text : token
    if (text !== '') findPlace()?.teller?.text(text)
  }

  override handleToolStart(...[, , , , , , name, tool_call_id]: ToolStart): void {
    const { admitted } = findPlace() ?? {}
    const isThisCall = tool_call_id === admitted?.tool_call_id && !admitted?.isBegun
    // What a tool that was let through does by calling others is its own.
    const isWithin = tool_call_id === undefined && admitted?.isBegun
    if (admitted && (isThisCall || isWithin)) {
      admitted.isBegun = true
      return
    }
    throw new AppError(
      'forbidden',
      `The tool ${name ?? ''} was not run: nothing governs it. Give its agent the middleware of ` +
        'the parts, as in subagents: [{ …, middleware: parts.middleware() }].',
    )
  }
}
