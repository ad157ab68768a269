import type { ExecutionEvent } from '@dataagent/schema'
import type { ModelMessage } from '../models/index.ts'
import type { ModelCall, ModelReply, Runtime, ToolCallRequest, ToolReply } from './contract.ts'
import { createTestModel } from './test-model.ts'

/** A runtime for tests; `events` are what was emitted. */
export function createTestRuntime(
  fields: Partial<Runtime> = {},
): Runtime & { events: ExecutionEvent[] } {
  const events: ExecutionEvent[] = []
  return {
    session_id: 's1',
    run_id: 'r1',
    assistant_id: 'helper',
    principal: { tenant_id: 't1', user_id: 'ana', role: 'user' },
    signal: new AbortController().signal,
    context: {},
    emit: (event) => void events.push(event),
    addUsage() {},
    events,
    ...fields,
  }
}

/** A user's message. */
export function says(content: string): ModelMessage {
  return { role: 'user', content }
}

/** A reply of the model without calls. */
export function replies(content: string, fields: Partial<ModelReply> = {}): ModelReply {
  return { content, reasoning: [], calls: [], usage: undefined, finish: 'stop', ...fields }
}

/** A call of the model in a run. */
export function modelCallIn(runtime: Runtime, fields: Partial<ModelCall> = {}): ModelCall {
  const model = createTestModel(() => '')
  const state = { messages: [] }
  return { model, systemPrompt: '', messages: [], tools: [], state, runtime, ...fields }
}

/** A call of a tool in a run. */
export function toolCallIn(
  runtime: Runtime,
  fields: Partial<ToolCallRequest> = {},
): ToolCallRequest {
  const call = { id: 'c1', name: 'look', args: {} }
  return { call, entry: undefined, state: { messages: [] }, runtime, ...fields }
}

/** The reply of a tool that did its work. */
export function succeeds(content: string): ToolReply {
  return { content, status: 'success', outcome: 'ok', result: content }
}
