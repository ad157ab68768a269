import { AppError } from '@dataagent/schema'
import type { AgentMiddleware } from './contract.ts'
import { toHookError } from './hook-error.ts'

type Handler<Request, Reply> = (request: Request) => Promise<Reply>
type Wrap<Request, Reply> = (
  request: Request,
  handler: Handler<Request, Reply>,
) => Promise<Reply> | Reply

interface Layer<Request, Reply> {
  name: string
  wrap: Wrap<Request, Reply>
}

/** One call within all wraps: the first of the list is the outermost. */
export type WrappedCall<Request, Reply> = (
  request: Request,
  innermost: Handler<Request, Reply>,
) => Promise<Reply>

/**
 * Puts the hook of each middleware that has it around a call. What the call itself rejects with
 * comes out as it is unless a middleware catches it; a fault of a middleware comes out named.
 */
export function createWrappedCall<Request, Reply extends object>(
  list: readonly AgentMiddleware[],
  hook: 'wrapModelCall' | 'wrapToolCall',
): WrappedCall<Request, Reply> {
  const layers = list.flatMap((middleware): Layer<Request, Reply>[] => {
    const wrap = middleware[hook]?.bind(middleware) as Wrap<Request, Reply> | undefined
    return wrap ? [{ name: middleware.name, wrap }] : []
  })
  if (layers.length === 0) return (request, innermost) => innermost(request)
  return (request, innermost) => {
    const passing = new WeakSet<object>()
    return layers.reduceRight(
      (inner, layer) => enter(layer, inner, { hook, passing }),
      noting(innermost, passing),
    )(request)
  }
}

interface Entering {
  hook: string
  /** Errors that are not the doing of the middleware they come out of. */
  passing: WeakSet<object>
}

function enter<Request, Reply extends object>(
  { name, wrap }: Layer<Request, Reply>,
  inner: Handler<Request, Reply>,
  { hook, passing }: Entering,
): Handler<Request, Reply> {
  return async (request) => {
    try {
      const reply = await wrap(request, inner)
      if (typeof reply === 'object' && reply !== null) return reply
      throw new AppError('invalid_result', 'gave no reply; return what the handler gives')
    } catch (error) {
      if (isObject(error) && passing.has(error)) throw error
      const named = toHookError(error, name, hook)
      passing.add(named)
      throw named
    }
  }
}

function noting<Request, Reply>(
  innermost: Handler<Request, Reply>,
  passing: WeakSet<object>,
): Handler<Request, Reply> {
  return async (request) => {
    try {
      return await innermost(request)
    } catch (error) {
      if (isObject(error)) passing.add(error)
      throw error
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
