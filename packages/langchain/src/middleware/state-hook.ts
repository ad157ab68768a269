import type { AgentMiddleware, AgentState, Runtime, StateUpdate } from '@dataagent/core'
import { AppError } from '@dataagent/schema'
import { countingUsage } from '../models/index.ts'
import type { Fields, HookName, StateHook, Theirs } from './contract.ts'
import { toUnderstood } from './hook-runtime.ts'
import type { Means } from './means.ts'
import { toTheirState } from './their-state.ts'

type OwnHook = NonNullable<AgentMiddleware[HookName]>

/** One of the hooks that look at the state and change it. */
export function toStateHook(theirs: Theirs, name: HookName, means: Means): OwnHook {
  const { fields, book, changes, toRuntime, returnDirect } = means
  const { hook, canJumpTo } = readHook(theirs[name])

  async function run(state: AgentState, runtime: Runtime): Promise<StateUpdate | undefined> {
    const their = toRuntime(runtime)
    if (hook === undefined) return undefined
    let hasLooked = false
    const seen = toTheirState(state, fields, {
      toLangChain(message) {
        hasLooked = true
        return book.toLangChain(message)
      },
    })
    const asking = () => call(hook, seen, their)
    const given = (await countingUsage(runtime.addUsage, asking)) ?? {}
    const { messages, jumpTo, structuredResponse, ...rest } = toFields(given, theirs.name)
    if (structuredResponse !== undefined) throw refused(theirs.name, 'a structuredResponse')
    assertJump({ middleware: theirs.name, name, canJumpTo }, jumpTo)
    // What it has seen it may have changed in place, also without giving it back.
    const mayDiffer = hasLooked || messages !== undefined
    return {
      ...fields.reduce(state, rest),
      ...(mayDiffer && book.toUpdate(state.messages, (messages ?? []) as never)),
      ...(jumpTo !== undefined && { jumpTo: jumpTo as NonNullable<StateUpdate['jumpTo']> }),
    }
  }

  return async (given, runtime) => {
    const { state, update } = changes.take(given, runtime)
    const direct = name === 'beforeModel' ? returnDirect?.beforeModel?.(state, runtime) : undefined
    const own = (await direct) ?? (await run(state, runtime))
    return own && update ? { ...update, ...own } : (own ?? update)
  }
}

async function call(hook: StateHook, state: Fields, runtime: Fields): Promise<unknown> {
  try {
    return await hook(state, runtime)
  } catch (error) {
    throw toUnderstood(error)
  }
}

interface Hook {
  hook: StateHook | undefined
  canJumpTo: readonly unknown[]
}

/** A function, or one with the places that it may jump to. */
export function readHook(given: unknown): Hook {
  if (typeof given !== 'object' || given === null) {
    return { hook: given as StateHook | undefined, canJumpTo: [] }
  }
  const { hook, canJumpTo = [] } = given as Partial<Hook>
  return { hook, canJumpTo }
}

function toFields(given: unknown, middleware: string): Fields {
  if (typeof given === 'object') return given as Fields
  throw refused(middleware, 'something that is no state update')
}

interface JumpRule {
  middleware: string
  name: HookName
  canJumpTo: readonly unknown[]
}

function assertJump({ middleware, name, canJumpTo }: JumpRule, jumpTo: unknown): void {
  if (jumpTo === undefined || canJumpTo.includes(jumpTo)) return
  const known = canJumpTo.length > 0 ? `must be one of: ${canJumpTo.join(', ')}` : 'none is defined'
  throw new AppError(
    'invalid_result',
    `Invalid jump target: ${String(jumpTo)}; of ${name}.canJumpTo in middleware ${middleware} ${known}`,
  )
}

function refused(middleware: string, what: string): AppError {
  return new AppError('invalid_result', `middleware ${middleware} gave ${what}, which there is not`)
}
