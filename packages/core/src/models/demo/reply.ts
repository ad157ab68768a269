/** What the demo model answers: words, and tools that it calls. */
export interface DemoReply {
  text: string
  calls: readonly DemoCall[]
}

export interface DemoCall {
  name: string
  arguments: Record<string, unknown>
}

export function say(text: string): DemoReply {
  return { text, calls: [] }
}
