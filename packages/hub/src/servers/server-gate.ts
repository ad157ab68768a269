import { AppError, type ServerConfig } from '@dataagent/schema'
import { isAdministrator, isPlatformAdministrator } from '../principal.ts'
import { type Command, type CommandTemplate, createTemplateMatcher } from './command-template.ts'
import type { ServerGate } from './contract.ts'

export interface ServerGateOptions {
  /**
   * Which administrators may start any command and set a proxy: those of a tenant too, or those of
   * the platform alone, where tenants do not trust each other. Default: `tenant`.
   */
  adminCommands?: 'tenant' | 'platform'
  /** What all others may start. Default: nothing. */
  templates?: readonly CommandTemplate[]
  /**
   * Which addresses those may reach: over https alone, or over http too. Whether an address
   * is a public one is checked where it is connected to. Default: `any`.
   */
  allowUserUrls?: 'none' | 'https' | 'any'
}

type StdioConfig = Extract<ServerConfig, { transport: 'stdio' }>
type RemoteConfig = Exclude<ServerConfig, StdioConfig>

/**
 * Decides what may be started or reached by whom, the same for every way in. Administrators may
 * start any command (see `adminCommands`); others what a template allows. Nothing is filtered: what
 * is not a template's command from end to end is refused.
 */
export function createServerGate(options: ServerGateOptions = {}): ServerGate {
  const { adminCommands = 'tenant', templates = [], allowUserUrls = 'any' } = options
  const isFree = adminCommands === 'tenant' ? isAdministrator : isPlatformAdministrator
  const matchers = templates.map(createTemplateMatcher)
  const told = templates.map(({ name }) => name).join(', ')

  function checkCommand(config: StdioConfig): void {
    const asked = toCommand(config)
    if (matchers.some((matches) => matches(asked))) return
    const approved = told === '' ? 'none is approved' : `approved are: ${told}`
    throw forbidden(
      `only an administrator may start any command; others use one that is approved (${approved})`,
    )
  }

  function checkUrl({ url, proxy }: RemoteConfig): void {
    if (proxy !== undefined) throw forbidden('a proxy is set by administrators: leave it out')
    if (allowUserUrls === 'none') {
      throw forbidden('servers by URL are added by administrators: ask one to share it')
    }
    const allowed = allowUserUrls === 'https' ? ['https:'] : ['https:', 'http:']
    const scheme = URL.parse(url)?.protocol ?? ''
    if (!allowed.includes(scheme)) {
      throw new AppError('egress_denied', `the URL must begin with ${allowed.join('// or ')}//`)
    }
  }

  return {
    check(principal, config) {
      if (isFree(principal)) return
      if (config.transport === 'stdio') checkCommand(config)
      else checkUrl(config)
    },
  }
}

/** What a configuration starts. */
export function toCommand({ command, args, env, cwd }: StdioConfig): Command {
  return { command, args, cwd, env: Object.keys(env) }
}

function forbidden(message: string): AppError {
  return new AppError('forbidden', message)
}
