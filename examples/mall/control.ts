import type { Tool } from '@modelcontextprotocol/sdk/types.js'

/**
 * What a demonstration or a test may do to a mall that runs: look at the calls that reached it, and
 * make it misbehave. The same for a mall in this process and for one in a process of its own.
 */
export interface MallControl {
  /** Calls that reached the mall, of one tool or all, oldest first. */
  calls(tool?: string): Promise<MallCall[]>
  forgetCalls(): Promise<void>
  /** Changes what a tool says it is, and tells every session that the list has changed. */
  changeTool(tool: string, change: ToolChange): Promise<void>
  /** Offers these tools alone, or all again, and tells every session. */
  offerTools(tools: readonly string[] | 'all'): Promise<void>
  /** Calls of the tool take that much longer; 0 for no longer. */
  delay(tool: string, ms: number): Promise<void>
  /** From now on results of the tool lack the first field that its output schema requires. */
  breakOutput(tool: string, broken?: boolean): Promise<void>
  /** How requests are answered from now on; those held by `hang` go on when it ends. */
  answer(how: Answer): Promise<void>
  /** Cuts every connection, in the middle of whatever it carries. */
  dropStreams(): Promise<void>
  /** Ends every session; a client that goes on with one is answered 404. */
  forgetSessions(): Promise<void>
}

export interface MallCall {
  tool: string
  arguments: Record<string, unknown>
  _meta: Record<string, unknown>
  /** Milliseconds since 1970. */
  at: number
  /** `failed` where the result says that it is an error. */
  status: 'running' | 'ok' | 'failed' | 'cancelled'
}

export type ToolChange = Partial<
  Pick<Tool, 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations'>
>

export const answers = ['normal', 'hang', 401, 404, 500] as const
export type Answer = (typeof answers)[number]

export interface MallOptions {
  /** Default `sse`. */
  transport?: 'sse' | 'http' | undefined
  /** Default: any that is free. */
  port?: number | undefined
  /** A bearer token that every request must bring. */
  token?: string | undefined
  /** A file for the database; by default it is in memory. */
  db?: string | undefined
  /** Milliseconds that calls of a tool take longer. */
  delay?: Readonly<Record<string, number>> | undefined
  /** Tools whose results lack a required field. */
  breakOutput?: readonly string[] | undefined
  /** Tools to offer; default all. */
  tools?: readonly string[] | undefined
}

/** A mall that listens. */
export interface Mall extends MallControl, AsyncDisposable {
  /** Where a client connects. */
  url: string
  kind: 'sse' | 'http'
  port: number
  close(): Promise<void>
}
