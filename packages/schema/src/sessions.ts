import { z } from 'zod'
import { jsonObject } from './json.ts'
import { id, timestamp } from './scalars.ts'

/** What a session is doing; `error` means that its last run failed. */
export const sessionStatusSchema = z.enum(['idle', 'running', 'waiting_approval', 'error'])
export type SessionStatus = z.infer<typeof sessionStatusSchema>

/** Ids of servers that a session does without. One that it does not have anyway changes nothing. */
export const serversOffSchema = z.array(id).max(500).meta({
  description: 'Servers whose tools are not there in this session; from its next turn on',
})

/** What a session carries from turn to turn besides its log. */
export const sessionStateSchema = z.object({
  thread_id: z.string(),
  auto_approve: z.boolean(),
  status: sessionStatusSchema,
  servers_off: serversOffSchema.exactOptional(),
})
export type SessionState = z.infer<typeof sessionStateSchema>

/** A session as it is stored. */
export const sessionSchema = z.object({
  session_id: id,
  tenant_id: id,
  user_id: id,
  assistant_id: id,
  created_at: timestamp,
  last_active: timestamp,
  state: sessionStateSchema,
  metadata: jsonObject,
})
export type Session = z.infer<typeof sessionSchema>
