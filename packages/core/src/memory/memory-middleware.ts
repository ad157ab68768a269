import type { AgentMiddleware, AgentState, Runtime } from '../middleware/index.ts'
import type { ModelMessage } from '../models/index.ts'
import type { MemoryStore } from './contract.ts'
import { toMemoryNotes } from './memory-notes.ts'
import { createMemoryTools, ownerOf } from './memory-tools.ts'
import { toRemembered } from './to-remembered.ts'

export interface MemoryMiddlewareOptions {
  store: MemoryStore
  assistant_id: string
  /** The most that notes add to the system prompt. Default 800. */
  maxTokens?: number | undefined
}

/**
 * Long-term memory [D7.2]: the facts that fit the user's message are in the system prompt, marked
 * as notes; there are tools to remember, recall and forget; and what the user asks to remember in
 * so many words is kept at once, whether the model does anything about it or not. What a sub-agent
 * is asked are the model's words, so nothing of that is kept. A memory that cannot be reached does
 * not end the run: the model is told.
 */
export function createMemoryMiddleware(options: MemoryMiddlewareOptions): AgentMiddleware {
  const { store, assistant_id, maxTokens = 800 } = options
  const notes = new WeakMap<Runtime, Promise<string>>()
  const told = new WeakMap<Runtime, string>()

  async function toNotes(messages: readonly ModelMessage[], runtime: Runtime): Promise<string> {
    const owner = ownerOf(runtime.principal, assistant_id)
    if (!owner) return ''
    const query = lastRequest(messages) ?? ''
    const facts = await toMemoryNotes(store, owner, { query, maxTokens }).catch(
      () => 'The notes about this user cannot be read at the moment.',
    )
    return [facts, told.get(runtime)].filter(Boolean).join('\n\n')
  }

  async function keepWhatIsAsked({ messages }: AgentState, runtime: Runtime): Promise<void> {
    const owner = ownerOf(runtime.principal, assistant_id)
    const text = toRemembered(lastRequest(messages) ?? '')
    if (!owner || text === undefined) return
    const { session_id, run_id: said_in } = runtime
    const kept = store.remember(owner, { text, by: 'user', session_id, said_in })
    told.set(runtime, await kept.then(() => keptNote, toFailedNote))
  }

  return {
    name: 'AgentMemoryMiddleware',
    tools: createMemoryTools(store, assistant_id),
    async beforeAgent(state, runtime) {
      if (isOfUser(runtime) && isMemoryIntent(runtime)) await keepWhatIsAsked(state, runtime)
      return undefined
    },
    async wrapModelCall(request, handler) {
      const { runtime, messages, systemPrompt } = request
      const known = notes.get(runtime) ?? toNotes(messages, runtime)
      notes.set(runtime, known)
      const text = await known
      return handler(text === '' ? request : { ...request, systemPrompt: join(systemPrompt, text) })
    },
  }
}

const keptNote =
  'What the user has just asked to remember was kept already; confirm it and do not keep it again.'

function toFailedNote(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error)
  return `What the user has just asked to remember could not be kept; tell them why: ${why}`
}

function isOfUser({ parent_tool_call_id }: Runtime): boolean {
  return parent_tool_call_id === undefined
}

function isMemoryIntent({ context }: Runtime): boolean {
  const { intent } = context
  return (
    typeof intent === 'object' && intent !== null && 'type' in intent && intent.type === 'memory'
  )
}

function lastRequest(messages: readonly ModelMessage[]): string | undefined {
  return messages.findLast(({ role }) => role === 'user')?.content
}

function join(systemPrompt: string, text: string): string {
  return systemPrompt === '' ? text : `${systemPrompt}\n\n${text}`
}
