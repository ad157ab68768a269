import type { Span } from '@dataagent/hub'
import type { ChatSocketOptions } from './chat-socket.ts'

/** What a person does; the rest is between the two ends of the socket. */
const traced = new Set(['chat', 'cancel', 'hitl_decision'])

/** A message is to a socket what a request is to HTTP. Undefined where it is not traced. */
export function startMessageSpan(
  { platform, session_id, parent }: Pick<ChatSocketOptions, 'platform' | 'session_id' | 'parent'>,
  type: string,
): Span | undefined {
  if (!traced.has(type)) return undefined
  return platform.tracer?.start(`websocket ${type}`, {
    ...{ kind: 'server', parent },
    attributes: {
      'network.protocol.name': 'websocket',
      'http.route': '/ws/chat/{session_id}',
      'gen_ai.conversation.id': session_id,
      'session.id': session_id,
      'dataagent.message_type': type,
    },
  })
}
