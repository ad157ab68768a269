import type { ExecutionEvent } from '@dataagent/schema'
import type { ModelMessage } from '../models/index.ts'
import type { ModelReply, Runtime } from './contract.ts'

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
