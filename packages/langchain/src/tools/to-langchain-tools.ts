import {
  type CallContext,
  type CatalogueEntry,
  createToolset,
  type Hub,
  type OwnTool,
  type ToolOutcome,
  type Toolset,
} from '@dataagent/hub'
import type { CallToolResult } from '@dataagent/mcp'
import { AppError } from '@dataagent/schema'
import { ToolMessage } from '@langchain/core/messages'
import type { RunnableConfig } from '@langchain/core/runnables'
import { DynamicStructuredTool, type StructuredToolInterface } from '@langchain/core/tools'

export interface ToLangChainToolsOptions
  extends Pick<CallContext, 'principal' | 'session_id' | 'run' | 'emit' | 'trace'> {
  hub: Pick<Hub, 'listTools' | 'callTool'>
  /** Brought along: those of an agent are `toolsetOf(agent)`. */
  tools?: Toolset | readonly OwnTool[] | undefined
  /** Default `sdk`. */
  source?: CallContext['source'] | undefined
  /** Who decides what asks. Default: nobody, so that it is refused. */
  approver?: CallContext['approver'] | undefined
}

/**
 * All that a principal may use now, for somebody else's graph. Every call goes through the hub:
 * policy, validation, approval, limits and audit are as for an agent of ours. A call that is
 * refused or fails is a `ToolMessage` with status `error`, whose content is our error object; the
 * whole outcome is its artifact.
 */
export function toLangChainTools(options: ToLangChainToolsOptions): StructuredToolInterface[] {
  const { hub, principal, session_id, run } = options
  const tools = toToolset(options.tools)
  const entries = hub.listTools({ principal, session_id, run, tools })
  return entries.map((entry) => toGovernedTool(entry, { ...options, tools }))
}

function toToolset(tools: ToLangChainToolsOptions['tools']): Toolset | undefined {
  return Array.isArray(tools) ? createToolset(tools) : (tools as Toolset | undefined)
}

type Means = Omit<ToLangChainToolsOptions, 'tools'> & { tools: Toolset | undefined }

/**
 * LangChain validates by the schema that it also tells the model; here the hub does, which notes
 * what does not fit. So another tool is run, which takes any arguments.
 */
function toGovernedTool(entry: CatalogueEntry, means: Means): StructuredToolInterface {
  const { definition } = entry.tool
  const described = {
    name: entry.wire_name,
    description: definition.description || entry.sdk_name,
    func: (args: unknown, _: unknown, config?: RunnableConfig) =>
      callHub(entry, means, { args: args as Record<string, unknown>, config }),
  }
  const shown = new DynamicStructuredTool({ ...described, schema: definition.inputSchema })
  const runner = new DynamicStructuredTool({ ...described, schema: { type: 'object' } })
  return Object.assign(shown, {
    invoke: runner.invoke.bind(runner),
    call: runner.call.bind(runner),
  })
}

interface Asked {
  args: Record<string, unknown>
  config: RunnableConfig | undefined
}

async function callHub(entry: CatalogueEntry, means: Means, { args, config }: Asked) {
  const { hub, principal, session_id, run, emit, trace, tools } = means
  const { toolCall } = (config ?? {}) as { toolCall?: { id?: string } }
  const { server_id, name } = entry.tool
  const outcome = await hub.callTool(
    {
      ...{ principal, session_id, run, emit, trace, tools, signal: config?.signal },
      source: means.source ?? 'sdk',
      approver: means.approver ?? { kind: 'nobody' },
    },
    { tool: { server_id, name }, args, tool_call_id: toolCall?.id },
  )
  if (toolCall?.id === undefined) return toValue(outcome)
  return new ToolMessage({
    ...{ tool_call_id: toolCall.id, name: entry.wire_name, artifact: outcome },
    ...{ content: toContent(outcome), status: outcome.status === 'ok' ? 'success' : 'error' },
  })
}

/** For who calls the tool by hand: the value, or the error thrown. */
function toValue(outcome: ToolOutcome) {
  if (outcome.status === 'ok') return toContent(outcome)
  const { code, message } = outcome.error
  throw new AppError(code, message, { data: { ...outcome.error } })
}

function toContent(outcome: ToolOutcome) {
  const result = 'result' in outcome ? outcome.result : undefined
  if (!result) return JSON.stringify('error' in outcome ? outcome.error : outcome)
  const { text, raw } = result
  const images = raw.content.filter((part) => part.type === 'image')
  return images.length === 0 ? text : [{ type: 'text' as const, text }, ...images.map(toImage)]
}

type Image = Extract<CallToolResult['content'][number], { type: 'image' }>

function toImage({ mimeType, data }: Image) {
  return { type: 'image_url' as const, image_url: { url: `data:${mimeType};base64,${data}` } }
}
