import { type Clock, type Egress, systemClock } from '@dataagent/guard'
import {
  createReadResultTool,
  type Hub,
  type OwnApproval,
  type OwnTool,
  type Principal,
} from '@dataagent/hub'
import { AppError, isAppError } from '@dataagent/schema'
import type { Settings } from '../config/index.ts'
import { createMemoryMiddleware, type MemoryStore } from '../memory/index.ts'
import {
  type AgentMiddleware,
  createShellMiddleware,
  createSkillsMiddleware,
  createSummarisation,
  createTodoList,
} from '../middleware/index.ts'
import type { ModelPort, ModelPrice } from '../models/index.ts'
import {
  createFileTools,
  createHttpTools,
  createTaskTool,
  createWebSearch,
  createWriteTodos,
  type WebSearch,
} from '../tools/index.ts'
import type { Workspaces } from '../workspaces/index.ts'
import { type Backend, createBackend } from './backend.ts'
import { checkConfig } from './check-config.ts'
import type { Agent, AgentConfig } from './contract.ts'
import { prepareAgent } from './prepare-agent.ts'
import { runSubAgent } from './sub-agent.ts'
import { toSystemPrompt } from './system-prompt.ts'

export interface AgentFactoryOptions {
  settings: Pick<Settings, 'values' | 'model' | 'createModel' | 'priceOf'>
  hub: Pick<Hub, 'results'>
  workspaces: Workspaces
  /** The way out of web tools. */
  egress: Egress
  /** Needed where an agent has `enable_memory`. */
  memory?: MemoryStore | undefined
  /** Folders of skills, those of all first. */
  skillRoots?: readonly string[] | ((principal: Principal) => readonly string[]) | undefined
  /** Tools that those skills bring along, from `loadSkillTools`. */
  skillTools?: readonly OwnTool[] | undefined
  /** What commands of the shell get. Default: a PATH alone. */
  shellEnv?: Readonly<Record<string, string>> | undefined
  /** `ask` where the files are a person's own. Default `allow`. */
  fileChanges?: OwnApproval | undefined
  clock?: Clock | undefined
}

/** Makes agents [D4.2]. */
export interface AgentFactory {
  /**
   * An agent with built-in and extra tools, and where its files are. Throws `config_invalid` for
   * what cannot be: an unknown model or sandbox, memory without a store, two tools of one name.
   */
  createAgent(config: AgentConfig): { agent: Agent; backend: Backend }
}

/** Makes the factory. */
export function createAgentFactory(options: AgentFactoryOptions): AgentFactory {
  const { settings, workspaces, egress, clock = systemClock } = options
  const search = createWebSearch({ egress, apiKey: settings.values.TAVILY_API_KEY })
  const shared: readonly OwnTool[] = [
    ...createFileTools({ workspaces, clock, changes: options.fileChanges }),
    ...createHttpTools({ egress, clock }),
    ...(search.tool ? [search.tool] : []),
    createReadResultTool(options.hub.results),
    createTaskTool({ runSubAgent: ({ prompt }, context) => runSubAgent(prompt, context) }),
  ]

  return {
    createAgent(config) {
      checkConfig(config)
      const backend = createBackend(config.sandbox_type, workspaces)
      const model = toModel(settings, config.model)
      const agent: Agent = {
        assistant_id: config.assistant_id,
        model,
        price: priceOf(config),
        systemPrompt: toSystemPrompt(config.system_prompt, noticesOf(search)),
        middleware: toMiddleware(options, config, { model, backend }),
        tools: [...shared, ...(config.extra_tools ?? [])],
        toolMode: config.tool_mode ?? 'auto',
        toolBudgetTokens: config.tool_budget_tokens ?? 2_000,
        maxTurns: config.max_turns ?? 50,
        autoApprove: config.auto_approve ?? false,
        onReject: config.on_reject ?? 'end',
      }
      checkParts(agent)
      return { agent, backend }
    },
  }

  function priceOf({ model }: AgentConfig): ModelPrice | undefined {
    return typeof model === 'object' ? model.price : settings.priceOf(model ?? settings.model)
  }
}

/** That its tools and middlewares fit together is seen now, not at the first run. */
function checkParts(agent: Agent): void {
  try {
    prepareAgent(agent)
  } catch (cause) {
    if (!isAppError(cause, 'conflict')) throw cause
    throw new AppError('config_invalid', cause.message, { cause })
  }
}

function toModel(settings: AgentFactoryOptions['settings'], model: AgentConfig['model']) {
  return typeof model === 'object' ? model : settings.createModel(model)
}

function noticesOf({ notice }: WebSearch): readonly string[] {
  return notice === undefined ? [] : [notice]
}

/** In the order in which they run: what plans and remembers, what brings tools, what shortens. */
function toMiddleware(
  options: AgentFactoryOptions,
  config: AgentConfig,
  made: { model: ModelPort; backend: Backend },
): AgentMiddleware[] {
  const { clock = systemClock } = options
  const list = toPlan(config, clock)
  if (config.enable_memory) list.push(toMemory(options, config.assistant_id))
  if (config.enable_skills) {
    const { skillRoots: roots = [], skillTools: tools } = options
    list.push(createSkillsMiddleware({ roots, tools, clock }))
  }
  if (config.enable_shell) list.push(toShell(options, made.backend))
  list.push(createSummarisation({ model: made.model }))
  return [...list, ...(config.extra_middleware ?? [])]
}

/** None where a middleware brings its own: two tools of that name would be refused. */
function toPlan({ extra_middleware = [] }: AgentConfig, clock: Clock): AgentMiddleware[] {
  const tool = createWriteTodos({ clock })
  const brought = extra_middleware.flatMap(({ tools }) => tools ?? [])
  return brought.some(({ name }) => name === tool.name) ? [] : [createTodoList({ tool })]
}

function toMemory({ memory }: AgentFactoryOptions, assistant_id: string): AgentMiddleware {
  if (memory) return createMemoryMiddleware({ store: memory, assistant_id })
  throw new AppError(
    'config_invalid',
    `The agent ${assistant_id} has memory, but there is no store.`,
  )
}

const defaultShellEnv = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' }

function toShell(options: AgentFactoryOptions, { workspaces, sandbox }: Backend): AgentMiddleware {
  const { clock = systemClock, shellEnv } = options
  return createShellMiddleware({
    ...{ sandbox, clock, env: shellEnv ?? defaultShellEnv },
    useFolder: ({ principal: { tenant_id, user_id }, run }, work) => {
      if (user_id === null) throw new AppError('forbidden', 'Only a user has a folder.')
      return workspaces.useFolder({ tenant_id, user_id }, run?.untrusted ?? new Set(), work)
    },
  })
}
