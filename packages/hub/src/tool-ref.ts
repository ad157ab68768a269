/** A tool's identity within a tenant. Names alone are for display. */
export interface ToolRef {
  server_id: string
  /** The server's own name of the tool. */
  name: string
}

/** One text for one tool, to be a key of maps; server ids hold no slash. */
export function toToolKey({ server_id, name }: ToolRef): string {
  return `${server_id}/${name}`
}
