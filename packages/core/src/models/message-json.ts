import type { ModelMessage, ModelTool } from './contract.ts'

/** Keeps what `make` gives for an object, as long as the object lives. */
export function keepPer<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const kept = new WeakMap<K, V>()
  return (key) => {
    const found = kept.get(key)
    if (found !== undefined) return found
    const made = make(key)
    kept.set(key, made)
    return made
  }
}

export interface JsonPieces {
  /** A message as the wire has it. Made once per message: histories are sent again and again. */
  message(message: ModelMessage): string
  /** The tools' field; made once per list. */
  tools(tools: readonly ModelTool[]): string
  /** A system prompt; the last one is kept. */
  system(text: string): string
}

export interface JsonPiecesOptions {
  message(message: ModelMessage): string
  tool(tool: ModelTool): unknown
  system(text: string): string
}

/** Keeps the JSON of what a request repeats from the one before. */
export function createJsonPieces({ message, tool, system }: JsonPiecesOptions): JsonPieces {
  const toolJson = keepPer((one: ModelTool) => JSON.stringify(tool(one)))
  let lastText: string | undefined
  let lastJson = ''

  return {
    message: keepPer(message),
    tools: keepPer((tools: readonly ModelTool[]) => `[${tools.map(toolJson).join(',')}]`),
    system(text) {
      if (text !== lastText) {
        lastText = text
        lastJson = system(text)
      }
      return lastJson
    },
  }
}
