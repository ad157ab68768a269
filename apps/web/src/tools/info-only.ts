import type { ServerConfig, ServerInfo } from '@dataagent/schema'

/** A field that is new in the answer and missing here does not compile. */
const fields: Readonly<Record<Exclude<keyof ServerInfo, keyof ServerConfig>, true>> = {
  ...{ server_id: true, scope: true, user_id: true, sample: true, tool_count: true },
  ...{ status: true, status_message: true, status_fault: true },
  ...{ created_at: true, updated_at: true },
}

/** What an answer says of a server and is none of its settings. */
export const infoOnly: readonly string[] = Object.keys(fields)
