/** A server that is measured: where it is, and whose CPU is counted. */
export interface Target extends AsyncDisposable {
  url: string
  /** HTTP+SSE in place of Streamable HTTP. */
  wire: 'http' | 'sse'
  headers: Record<string, string>
  /** The server and its children, without the upstream that is reached by HTTP. */
  pids(): Promise<number[]>
  tool: string
}
