import type { ServerConfig } from '@dataagent/schema'
import type { CatalogueEntry } from '../catalogue/index.ts'
import type { RegisteredServer } from '../servers/index.ts'
import type { DefaultWhy, Effect } from './contract.ts'
import { toToolPattern } from './tool-pattern.ts'

const strictest: readonly Effect[] = ['deny', 'ask', 'allow']

type Setting = (tool: string) => Effect | undefined

const settings = new WeakMap<ServerConfig, Setting>()

/** What the server's own settings say of the tool, if anything. */
export function settingOf(server: RegisteredServer | undefined, tool: string): Effect | undefined {
  if (server === undefined) return undefined
  const setting = settings.get(server.config) ?? toSetting(server.config)
  settings.set(server.config, setting)
  return setting(tool)
}

/** Every pattern is made ready once: it is tried on each tool of the server. */
function toSetting({ approval, toolApproval }: ServerConfig): Setting {
  const whole = approval === 'default' ? undefined : approval
  const patterns = Object.entries(toolApproval).map(([pattern, effect]) => ({
    fits: toFitting(pattern),
    effect,
  }))
  return (tool) => {
    const fitting = patterns.filter(({ fits }) => fits(tool)).map(({ effect }) => effect)
    return strictest.find((effect) => fitting.includes(effect)) ?? whole
  }
}

function toFitting(pattern: string): (tool: string) => boolean {
  const made = toToolPattern(pattern)
  if (made.kind === 'pattern') return made.matches
  return made.kind === 'any' ? () => true : (tool) => tool === made.name
}

export interface DefaultEffect {
  effect: 'allow' | 'ask'
  why: DefaultWhy
  once_per_session: boolean
}

/**
 * What holds where nobody has said anything. A server's annotations can turn an allow into an ask
 * and an ask for the session into one for each call, never the other way.
 */
export function defaultOf(
  entry: CatalogueEntry,
  server: RegisteredServer | undefined,
): DefaultEffect {
  if (entry.own !== undefined) {
    const { approval } = entry.own
    const why =
      typeof approval === 'function'
        ? 'own_tool_by_arguments'
        : ({ ask: 'own_tool_asks', allow: 'own_tool' } as const)[approval]
    return { effect: approval === 'allow' ? 'allow' : 'ask', why, once_per_session: false }
  }
  if (entry.tool.definition.annotations?.destructiveHint === true) {
    return { effect: 'ask', why: 'destructive_annotation', once_per_session: false }
  }
  if (server?.user_id === null) {
    return { effect: 'allow', why: 'administrators_server', once_per_session: false }
  }
  return { effect: 'ask', why: 'users_server', once_per_session: true }
}

/**
 * Whether a call may carry what was read in this run to where it does harm. Our own tools know of
 * themselves; that a server's tool only reads, and reads nothing outside, is believed where an
 * administrator has registered the server, and of no other.
 */
export function hasOutsideEffects(
  entry: CatalogueEntry,
  server: RegisteredServer | undefined,
): boolean {
  if (entry.own !== undefined) return entry.own.annotations.openWorldHint !== false
  if (server === undefined || server.user_id !== null) return true
  const { readOnlyHint, openWorldHint } = entry.tool.definition.annotations ?? {}
  return readOnlyHint !== true || openWorldHint !== false
}
