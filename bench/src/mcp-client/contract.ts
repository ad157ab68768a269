export type ClientKind = 'ours' | 'sdk-v1' | 'sdk-v2'

/** The server that a client is to call. */
export type Target =
  | { wire: 'http'; url: string; era: 'legacy' | 'modern' }
  | { wire: 'stdio'; command: string; args: string[] }

/** Connects a client; what it gives calls a tool of the server once. */
export type Connect = (target: Target) => Promise<CallTool>

export type CallTool = (name: string, args: Record<string, unknown>) => Promise<unknown>

/** What a client's process is told to do. */
export interface Order {
  tool: string
  args: Record<string, unknown>
  calls: number
  atOnce: number
  /** Whether the event loop is watched, which costs a little. */
  watch: boolean
}

export const clientInfo = { name: 'bench', version: '1.0.0' }
/** More than the largest line. */
export const maxMessageBytes = 256 * 1024 * 1024
