import { z } from 'zod'
import { actionRequestSchema } from '../approvals.ts'
import { jsonObject, jsonValue } from '../json.ts'
import { openObject } from '../open-object.ts'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { toolCallStatusSchema } from '../tools.ts'

/**
 * Part of the assistant's reply. `is_final` marks the part that ends the reply; `restarts` one that
 * begins it anew, because the model's stream was cut: what was sent of it before is void.
 */
export const textEventSchema = openObject({
  event_type: z.literal('text'),
  timestamp,
  content: z.string(),
  is_final: z.boolean(),
  restarts: z.literal(true).exactOptional(),
})
export type TextEvent = z.infer<typeof textEventSchema>

/** The model asks for a tool. Not yet authorised, approved or run. */
export const toolCallEventSchema = openObject({
  event_type: z.literal('tool_call'),
  timestamp,
  tool_name: z.string(),
  tool_args: jsonObject,
  tool_call_id: z.string(),
  server_id: id.exactOptional(),
  wire_name: z.string().exactOptional().meta({ description: 'What the model called it by' }),
  wire_args: jsonObject.exactOptional().meta({
    description: 'What the model sent, where it called the tool through another',
  }),
})
export type ToolCallEvent = z.infer<typeof toolCallEventSchema>

/** What a call gave beside text, as MCP has it: images, files, structured content. */
const shownResultSchema = openObject({
  content: z.array(jsonObject).meta({ description: 'Parts that are no text' }),
  structuredContent: jsonValue.exactOptional(),
  with_text: z.boolean().meta({
    description: 'Whether `result` is text of the tool itself, and not only words for what is here',
  }),
})

/**
 * A call has ended, in whatever way: `status` for the model and the reader, `outcome` for the exact
 * way. The model reads `result`.
 */
export const toolResultEventSchema = openObject({
  event_type: z.literal('tool_result'),
  timestamp,
  tool_call_id: z.string(),
  result: jsonValue,
  shown: shownResultSchema.exactOptional().meta({
    description: 'What people are shown beside it, where the tool gave more than text',
  }),
  status: z.enum(['success', 'error']),
  outcome: toolCallStatusSchema.exactOptional(),
  duration_ms: wholeNumber.exactOptional(),
  untrusted: z.array(id).exactOptional().meta({
    description: 'Servers that nobody vouches for, whose output the run has read with this result',
  }),
})
export type ToolResultEvent = z.infer<typeof toolResultEventSchema>

/** The run waits for a person. Answered by an `approval_decided` with the same `approval_id`. */
export const hitlRequestEventSchema = openObject({
  event_type: z.literal('hitl_request'),
  timestamp,
  approval_id: id,
  action_request: actionRequestSchema,
  tool_call_id: z.string().exactOptional(),
  expires_at: timestamp.exactOptional(),
  reason: z.string().exactOptional().meta({ description: 'Why it is asked, in words' }),
})
export type HITLRequestEvent = z.infer<typeof hitlRequestEventSchema>

const todoSchema = openObject({
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
})
export type Todo = z.infer<typeof todoSchema>

/** The agent's plan, whole: it replaces the one before. */
export const todoUpdateEventSchema = openObject({
  event_type: z.literal('todo_update'),
  timestamp,
  todos: z.array(todoSchema),
})
export type TodoUpdateEvent = z.infer<typeof todoUpdateEventSchema>

/**
 * A file of the workspace was read or changed. `diff` is a unified diff, empty where nothing
 * changed.
 */
export const fileOperationEventSchema = openObject({
  event_type: z.literal('file_operation'),
  timestamp,
  operation: z.enum(['read', 'write', 'edit', 'delete']),
  path: z.string(),
  diff: z.string(),
  additions: wholeNumber,
  deletions: wholeNumber,
  tool_call_id: z.string().exactOptional(),
})
export type FileOperationEvent = z.infer<typeof fileOperationEventSchema>

/** Something failed. `recoverable`: the same may work when tried again; if not, the run ends. */
export const errorEventSchema = openObject({
  event_type: z.literal('error'),
  timestamp,
  error: z.string(),
  recoverable: z.boolean(),
  error_code: z.string().exactOptional(),
  reference: z.string().exactOptional(),
  details: jsonObject.exactOptional().meta({
    description: 'Of an error in place of a run: `received`, `busy` …; it is not logged',
  }),
})
export type ErrorEvent = z.infer<typeof errorEventSchema>

/** The last event of a run. `cancelled`: a person stopped it or rejected what it asked for. */
export const doneEventSchema = openObject({
  event_type: z.literal('done'),
  timestamp,
  cancelled: z.boolean(),
})
export type DoneEvent = z.infer<typeof doneEventSchema>
