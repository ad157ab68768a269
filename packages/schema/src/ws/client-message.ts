import { z } from 'zod'
import { resumePointSchema } from '../events/resume-point.ts'
import { parseAs } from '../field-errors.ts'
import { parseJson } from '../parse-json.ts'
import { decisionRequestSchema } from '../rest/approvals.ts'
import { messageMax } from '../rest/chat.ts'
import { id } from '../scalars.ts'
import { secretString } from '../secret.ts'

const nothing = z.strictObject({}).exactOptional()

/** What a client may send on /ws/chat/{session_id}: `{ type, payload }`. */
export const webSocketMessageSchema = z.discriminatedUnion('type', [
  /** The first message of a client that cannot send a header and has no cookie. */
  z.strictObject({
    type: z.literal('authenticate'),
    payload: z.strictObject({ api_key: secretString }),
  }),
  z.strictObject({
    type: z.literal('chat'),
    payload: z.strictObject({
      message: z.string().min(1).max(messageMax),
      /** Chosen by the client so that a message sent again after a reconnect counts once. */
      message_id: id.exactOptional(),
    }),
  }),
  z.strictObject({ type: z.literal('cancel'), payload: nothing }),
  z.strictObject({
    type: z.literal('hitl_decision'),
    payload: z.strictObject({ approval_id: id, decision: decisionRequestSchema }),
  }),
  z.strictObject({ type: z.literal('resume'), payload: resumePointSchema }),
  z.strictObject({ type: z.literal('ping'), payload: nothing }),
])
export type WebSocketMessage = z.output<typeof webSocketMessageSchema>
/** The same as a client writes it: secrets as text, defaults left out. */
export type WebSocketMessageInput = z.input<typeof webSocketMessageSchema>

/** Reads a frame from a client. Anything but a known message with known fields is an AppError. */
export function parseClientMessage(text: string): WebSocketMessage {
  return parseAs(webSocketMessageSchema, parseJson(text), 'message')
}
