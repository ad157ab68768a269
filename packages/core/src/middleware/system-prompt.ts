import type { AgentMiddleware, Runtime } from './contract.ts'
import { toHookError } from './hook-error.ts'

type Text = string | undefined

/** What middlewares add to the system prompt; a promise only where one of them gives one. */
export function createSystemPrompt(
  list: readonly AgentMiddleware[],
): (runtime: Runtime) => string | Promise<string> {
  const having = list.filter((middleware) => middleware.systemPrompt !== undefined)
  return (runtime) => {
    const texts = having.map((middleware) => askText(middleware, runtime))
    if (texts.every(isText)) return join(texts)
    return Promise.all(texts).then(join)
  }
}

function askText(middleware: AgentMiddleware, runtime: Runtime): Text | Promise<Text> {
  const named = (error: unknown) => toHookError(error, middleware.name, 'systemPrompt')
  try {
    const text = middleware.systemPrompt?.(runtime)
    if (typeof text !== 'object') return text
    return Promise.resolve(text).catch((error) => Promise.reject(named(error)))
  } catch (error) {
    throw named(error)
  }
}

function isText(text: Text | Promise<Text>): text is Text {
  return typeof text !== 'object'
}

function join(texts: readonly Text[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n\n')
}
