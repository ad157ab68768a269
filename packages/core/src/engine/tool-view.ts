import {
  type CatalogueEntry,
  type Hub,
  originOf,
  type Principal,
  type RegisteredServer,
} from '@dataagent/hub'
import {
  type BuildToolPrompt,
  type IntentMatch,
  type IntentRecogniser,
  type PromptToolsView,
  type ToolPrompt,
  type ToolServer,
  unwrapToolCall,
} from '../intent/index.ts'
import type { RequestedCall } from '../middleware/index.ts'
import type { Conversation } from './conversation.ts'
import type { PreparedAgent } from './run.ts'
import type { EngineRunState } from './run-state.ts'

/** The tools of one run: what the agent may use now, and what of it the model is told. */
export interface ToolView extends PromptToolsView {
  readonly match: IntentMatch
  /** For the next call of the model. */
  prompt(): ToolPrompt
  /** By the name that the model uses. */
  find(wire_name: string): CatalogueEntry | undefined
  /** The tool that is meant where the model calls it through another. */
  unwrap(call: RequestedCall): Pick<RequestedCall, 'name' | 'args'>
  /** The input schema of a tool that the model was not given in full; else undefined. */
  schemaFor(wire_name: string): unknown
}

export interface ToolViewOptions {
  hub: Pick<Hub, 'listTools' | 'servers'>
  agent: PreparedAgent
  principal: Principal
  session_id: string
  state: EngineRunState
  conversation: Conversation
  recogniser: IntentRecogniser
  build: BuildToolPrompt
  /** Whether a person was being asked something when the message came. */
  hasPendingApproval: boolean
}

export function createToolView(options: ToolViewOptions): ToolView {
  const { hub, agent, principal, session_id, state, conversation } = options
  const context = { principal, session_id, run: state, tools: agent.toolset }
  const described = new Set<string>()
  let given = new Set<string>()
  let match: IntentMatch | undefined

  const listed = () => splitEntries(hub.listTools(context))
  const present = createPresentServers(state.without)
  const servers = () => present(toToolServers(hub.servers.visibleTo(principal, session_id)))

  function matchOf(): IntentMatch {
    match ??= options.recogniser.recognise({
      message: lastUserText(conversation),
      entries: listed().mcp,
      servers: servers(),
      hasPendingApproval: options.hasPendingApproval,
    })
    return match
  }

  const view: ToolView = {
    get match() {
      return matchOf()
    },
    prompt() {
      const { own, mcp } = listed()
      for (const name of conversation.called) described.add(name)
      const prompt = options.build({
        ...{ mode: agent.toolMode, budgetTokens: agent.toolBudgetTokens },
        ...{ own, entries: mcp, servers: servers(), match: matchOf(), described },
      })
      given = new Set(prompt.tools.map(({ name }) => name))
      return prompt
    },
    find: (wire_name) => listed().byWireName.get(wire_name),
    unwrap: (call) => unwrapToolCall(call) ?? call,
    schemaFor(wire_name) {
      if (given.has(wire_name)) return undefined
      return listed().byWireName.get(wire_name)?.tool.definition.inputSchema
    },
    describe: (wire_name) => {
      described.add(wire_name)
    },
    entries: () => listed().mcp,
    servers,
  }
  state.view = view
  return view
}

function lastUserText({ messages }: Conversation): string {
  const last = messages.findLast(({ role }) => role === 'user')
  return last?.content ?? ''
}

interface Split {
  own: readonly CatalogueEntry[]
  mcp: readonly CatalogueEntry[]
  byWireName: ReadonlyMap<string, CatalogueEntry>
}

/** The hub gives the same list as long as nothing has changed. */
const splits = new WeakMap<readonly CatalogueEntry[], Split>()

function splitEntries(entries: readonly CatalogueEntry[]): Split {
  const known = splits.get(entries)
  if (known) return known
  const split = {
    own: entries.filter(({ own }) => own !== undefined),
    mcp: entries.filter(({ own }) => own === undefined),
    byWireName: new Map(entries.map((entry) => [entry.wire_name, entry])),
  }
  splits.set(entries, split)
  return split
}

/** Those that the run does not do without: the same array for the same list. */
function createPresentServers(without: ReadonlySet<string> = new Set()) {
  let last: { all: readonly ToolServer[]; left: readonly ToolServer[] } | undefined
  return (all: readonly ToolServer[]): readonly ToolServer[] => {
    if (without.size === 0) return all
    if (last?.all !== all) {
      last = { all, left: all.filter(({ server_id }) => !without.has(originOf(server_id))) }
    }
    return last.left
  }
}

const toolServers = new WeakMap<readonly RegisteredServer[], readonly ToolServer[]>()

function toToolServers(servers: readonly RegisteredServer[]): readonly ToolServer[] {
  const known = toolServers.get(servers)
  if (known) return known
  const made = servers.map(({ server_id, config }) => ({
    server_id,
    name: config.name,
    alias: config.alias,
    description: config.description ?? config.name,
    trigger_keywords: config.trigger_keywords ?? [],
  }))
  toolServers.set(servers, made)
  return made
}
