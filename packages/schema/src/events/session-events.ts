import { z } from 'zod'
import { decidedViaSchema, decisionSchema } from '../approvals.ts'
import { citationsSchema, resultBlockSchema } from '../data/index.ts'
import { openObject } from '../open-object.ts'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { sessionStatusSchema } from '../sessions.ts'

/** The user's words, which begin a turn. A repeated `message_id` is the same message. */
export const userMessageEventSchema = openObject({
  event_type: z.literal('user_message'),
  timestamp,
  message_id: id,
  content: z.string(),
})
export type UserMessageEvent = z.infer<typeof userMessageEventSchema>

/**
 * The start record: durable before the tool runs, so that a call without a result is known to have
 * begun.
 */
export const toolStartedEventSchema = openObject({
  event_type: z.literal('tool_started'),
  timestamp,
  tool_call_id: z.string(),
  tool_name: z.string(),
  call_id: z.string().exactOptional().meta({ description: "The call's id in the audit" }),
  idempotent: z.boolean().exactOptional().meta({
    description: 'Whether it may be run again where it is not known how it ended',
  }),
})
export type ToolStartedEvent = z.infer<typeof toolStartedEventSchema>

/**
 * What of the user's words made tools of servers take part in the turn. Only where they did: the
 * words name a tool or a server, or hold a server's keyword.
 */
export const toolsMatchedEventSchema = openObject({
  event_type: z.literal('tools_matched'),
  timestamp,
  matches: z
    .array(
      openObject({
        by: z.enum(['keyword', 'name']),
        word: z.string().meta({ description: 'The keyword, or the name as the message has it' }),
        server_id: id.exactOptional(),
        server_name: z.string().exactOptional().meta({ description: 'As it was called then' }),
      }),
    )
    .meta({ description: 'In the order of the message, the first ten' }),
  tool_mode: z.enum(['always', 'intent', 'search']),
  matched: wholeNumber.meta({ description: 'Tools that they mean and that can be used now' }),
  offered: wholeNumber.meta({
    description: 'Tools of servers that the model is told of as the turn begins',
  }),
})
export type ToolsMatchedEvent = z.infer<typeof toolsMatchedEventSchema>

/** The answer to a `hitl_request`, recorded once. */
export const approvalDecidedEventSchema = openObject({
  event_type: z.literal('approval_decided'),
  timestamp,
  approval_id: id,
  decision: decisionSchema,
  via: decidedViaSchema,
  decided_by: id.nullable(),
})
export type ApprovalDecidedEvent = z.infer<typeof approvalDecidedEventSchema>

export const sessionStateEventSchema = openObject({
  event_type: z.literal('session_state'),
  timestamp,
  status: sessionStatusSchema,
})
export type SessionStateEvent = z.infer<typeof sessionStateEventSchema>

/** What a turn cost, and what it would have cost with every tool in the prompt. */
export const usageEventSchema = openObject({
  event_type: z.literal('usage'),
  timestamp,
  model: z.string(),
  tool_mode: z.enum(['always', 'intent', 'search']),
  prompt_tokens: wholeNumber,
  completion_tokens: wholeNumber,
  always_prompt_tokens: wholeNumber.meta({
    description: 'Prompt tokens that tool mode `always` would have cost',
  }),
  cached_tokens: wholeNumber.exactOptional(),
  cost: z.number().nonnegative().exactOptional().meta({
    description: "By the configured price of the model, in that price's currency",
  }),
})
export type UsageEvent = z.infer<typeof usageEventSchema>

/** Compaction: for the model `content` stands for everything up to and including `through_seq`. */
export const summaryEventSchema = openObject({
  event_type: z.literal('summary'),
  timestamp,
  content: z.string(),
  through_seq: wholeNumber,
  untrusted: z.array(id).exactOptional().meta({
    description: 'Servers that nobody vouches for, whose output it stands for',
  }),
  message_ids: z.array(id).exactOptional().meta({
    description: 'The last user messages, so that one that is repeated is known',
  }),
  tokens_before: wholeNumber.exactOptional().meta({
    description: 'Of the messages, as estimated',
  }),
  tokens_after: wholeNumber.exactOptional(),
})
export type SummaryEvent = z.infer<typeof summaryEventSchema>

/**
 * What the model thought before it answered or called tools. `signature` and `redacted` are its
 * provider's, and are sent back to it with the calls that followed.
 */
export const reasoningEventSchema = openObject({
  event_type: z.literal('reasoning'),
  timestamp,
  content: z.string(),
  signature: z.string().exactOptional(),
  redacted: z.string().exactOptional(),
})
export type ReasoningEvent = z.infer<typeof reasoningEventSchema>

/** A tool shows people something beside its result: rows, a chart, a file. */
export const resultBlockEventSchema = openObject({
  event_type: z.literal('result_block'),
  timestamp,
  tool_call_id: z.string().exactOptional(),
  block: resultBlockSchema,
})
export type ResultBlockEvent = z.infer<typeof resultBlockEventSchema>

/** What the numbers of the turn's last reply rest on: places are within that reply's text. */
export const citationsEventSchema = openObject({
  event_type: z.literal('citations'),
  timestamp,
  ...citationsSchema.shape,
})
export type CitationsEvent = z.infer<typeof citationsEventSchema>
