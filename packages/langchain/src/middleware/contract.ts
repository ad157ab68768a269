import type { LangChainTool } from '../tools/index.ts'

export type Fields = Readonly<Record<string, unknown>>

export type HookName = 'beforeAgent' | 'beforeModel' | 'afterModel' | 'afterAgent'

export type StateHook = (state: Fields, runtime: Fields) => unknown

export type Wrap = (request: never, handler: (changed: never) => Promise<unknown>) => unknown

/**
 * A middleware of LangChain, of whatever state and context. Its own type has those in it, and fits
 * no common one where optional fields are exact.
 */
export interface LangChainMiddleware extends Partial<Record<HookName, unknown>> {
  readonly name: string
  readonly tools?: unknown
  readonly stateSchema?: unknown
  readonly contextSchema?: unknown
  readonly streamTransformers?: unknown
  readonly wrapModelCall?: unknown
  readonly wrapToolCall?: unknown
}

/** The same as the adapter reads it. */
export interface Theirs extends LangChainMiddleware {
  readonly tools?: readonly LangChainTool[] | undefined
  readonly streamTransformers?: readonly unknown[] | undefined
  readonly wrapModelCall?: Wrap | undefined
  readonly wrapToolCall?: Wrap | undefined
}
