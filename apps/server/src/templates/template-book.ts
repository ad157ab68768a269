import {
  type CommandTemplate,
  createServerGate,
  createTemplateMatcher,
  type ServerGate,
  type ServerGateOptions,
  toCommand,
} from '@dataagent/hub'
import { AppError, isAppError, parseAs, readJson, templateListSchema } from '@dataagent/schema'
import type { Logger } from '../log/index.ts'
import type { Settings } from '../ports/index.ts'
import type { TemplateBook } from './contract.ts'

const settingName = 'command_templates'

export interface TemplateBookOptions {
  settings: Settings
  log: Logger
  /** Of tenants that do not trust each other, none starts what is not approved. */
  multiTenant: boolean
}

export function createTemplateBook({
  settings,
  log,
  multiTenant,
}: TemplateBookOptions): TemplateBook {
  const adminCommands = multiTenant ? 'platform' : 'tenant'
  const hold = (templates: readonly CommandTemplate[]) => toHeld({ adminCommands, templates })
  let held = hold([])
  let heldText: string | undefined

  async function reload(): Promise<boolean> {
    const text = (await settings.get(settingName)) ?? toText([])
    const isOther = heldText !== undefined && heldText !== text
    heldText = text
    try {
      held = hold(readTemplates(text))
      return isOther
    } catch (error) {
      held = hold([])
      log.error({ error }, 'the stored command templates cannot be read: none is approved')
      return false
    }
  }

  return {
    gate: { check: (...asked) => held.gate.check(...asked) },
    list: () => held.templates,
    networkOf: (config) => held.networkOf(config),
    async change(templates, note) {
      const next = hold(templates)
      await settings.change(settingName, toText(templates), { note })
      held = next
      heldText = toText(templates)
    },
    reload,
  }
}

interface Held {
  templates: readonly CommandTemplate[]
  gate: ServerGate
  networkOf: TemplateBook['networkOf']
}

function toHeld(options: ServerGateOptions & Pick<Held, 'templates'>): Held {
  const { templates } = options
  try {
    return { templates, gate: createServerGate(options), networkOf: createNetworkRule(templates) }
  } catch (error) {
    if (!isAppError(error, 'config_invalid')) throw error
    throw new AppError('invalid_request', error.message, { cause: error })
  }
}

function createNetworkRule(templates: readonly CommandTemplate[]): TemplateBook['networkOf'] {
  const rules = templates.map((template) => {
    return { matches: createTemplateMatcher(template), network: template.network ?? false }
  })
  return (config) => {
    if (config.transport !== 'stdio') return undefined
    const command = toCommand(config)
    const found = rules.filter(({ matches }) => matches(command))
    return found.length === 0 ? undefined : found.some(({ network }) => network)
  }
}

function toText(templates: readonly CommandTemplate[]): string {
  return JSON.stringify({ templates })
}

function readTemplates(text: string): readonly CommandTemplate[] {
  return parseAs(templateListSchema, readJson(text), 'command templates').templates
}
