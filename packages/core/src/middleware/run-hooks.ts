import type { AgentMiddleware, AgentState, Runtime, StateUpdate } from './contract.ts'
import { toHookError } from './hook-error.ts'
import { applyUpdate, type HookResult } from './state-update.ts'

export type HookName = 'beforeAgent' | 'beforeModel' | 'afterModel' | 'afterAgent'

type Awaitable<T> = T | Promise<T>

/** The hooks of one kind, one after the other: a plain value unless one of them gives a promise. */
export type RunHooks = (state: AgentState, runtime: Runtime) => Awaitable<HookResult>

/** In the order given; the middlewares without that hook cost nothing. */
export function createRunHooks(list: readonly AgentMiddleware[], hook: HookName): RunHooks {
  const having = list.filter((middleware) => middleware[hook] !== undefined)

  function runFrom(start: number, first: HookResult, runtime: Runtime): Awaitable<HookResult> {
    let result = first
    for (let at = start; at < having.length; at += 1) {
      const middleware = having[at] as AgentMiddleware
      const update = callHook(middleware, result.state, runtime)
      if (isPromise(update)) return goOn(at, update, result, runtime)
      result = apply(result, update, middleware)
      if (result.jumpTo) break
    }
    return result
  }

  async function goOn(
    at: number,
    update: Promise<StateUpdate | undefined>,
    before: HookResult,
    runtime: Runtime,
  ): Promise<HookResult> {
    const middleware = having[at] as AgentMiddleware
    const given = await update.catch((error) => {
      throw toHookError(error, middleware.name, hook)
    })
    const result = apply(before, given, middleware)
    return result.jumpTo ? result : runFrom(at + 1, result, runtime)
  }

  function callHook(middleware: AgentMiddleware, state: AgentState, runtime: Runtime) {
    try {
      return middleware[hook]?.(state, runtime)
    } catch (error) {
      throw toHookError(error, middleware.name, hook)
    }
  }

  function apply(before: HookResult, update: StateUpdate | undefined, from: AgentMiddleware) {
    if (update === undefined || update === null) return before
    try {
      return applyUpdate(before, update, from)
    } catch (error) {
      throw toHookError(error, from.name, hook)
    }
  }

  if (having.length === 0) return (state) => ({ state })
  return (state, runtime) => runFrom(0, { state }, runtime)
}

function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | undefined)?.then === 'function'
}
