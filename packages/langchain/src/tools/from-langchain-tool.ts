import type { OwnApproval, OwnTool, OwnToolContext } from '@dataagent/hub'
import type { CallToolResult } from '@dataagent/mcp'
import { AppError, isAppError, type ToolAnnotations } from '@dataagent/schema'
import { ToolInputParsingException } from '@langchain/core/tools'
import { type Command, isCommand, isGraphInterrupt } from '@langchain/langgraph'
import { toCallResult } from './call-result.ts'
import { readCommand, splitAnswer } from './command.ts'
import { toInputSchema } from './input-schema.ts'
import { toToolConfig } from './tool-config.ts'

/**
 * A tool of LangChain, of whatever schema: a `tool()`, a `StructuredTool`, a `DynamicTool`. Their
 * own type fits none of them where optional fields are exact.
 */
export interface LangChainTool {
  readonly name: string
  readonly description: string
  readonly schema: unknown
  readonly returnDirect?: boolean | undefined
  invoke(call: never, config?: never): Promise<unknown>
}

/** What holds for a tool that LangChain knows nothing of. */
export interface FromToolOptions {
  /**
   * Default `allow`; `ask` for a tool of an MCP server whose annotations say that it destroys. A
   * function says it of each call; what it throws is `ask`.
   */
  approval?: OwnApproval | ((args: Record<string, unknown>) => OwnApproval) | undefined
  /**
   * Whether its result is to be treated as coming from outside: true fits tools that read what
   * others write. Default: no; yes for a tool of an MCP server, unless its annotations say
   * `openWorldHint: false`.
   */
  untrusted?: boolean | undefined
  idempotent?: boolean | undefined
  timeoutMs?: number | undefined
  /** Default: those that `@langchain/mcp-adapters` keeps of the server's. */
  annotations?: ToolAnnotations | undefined
  title?: string | undefined
  category?: string | undefined
  /** Set by the middleware that brings the tool. */
  sceneOf?: ((context: OwnToolContext) => ToolScene | undefined) | undefined
}

/** What a tool finds of the run that it is called in. */
export interface ToolScene {
  readonly state: Readonly<Record<string, unknown>>
  readonly context: unknown
  /** What a `Command` changes besides the answer to its own call. */
  update(fields: Readonly<Record<string, unknown>>): void
}

/**
 * A tool of LangChain as one of an agent's own, for `extra_tools`. What it throws is told to the
 * model; arguments that do not fit are `invalid_arguments`. A `Command` may answer the call, and
 * change the state where a middleware has brought the tool. `returnDirect` works by
 * `withLangChain` or `createReturnDirect`; of an artifact only MCP's structured content is kept.
 * Throws `config_invalid` for a name or a schema that cannot be offered.
 */
export function fromLangChainTool(tool: LangChainTool, options: FromToolOptions = {}): OwnTool {
  assertName(tool.name)
  const { idempotent = false } = options
  const served = servedAnnotationsOf(tool)
  const annotations = options.annotations ?? served ?? {}
  const defaults = served ? defaultsOf(annotations) : ownDefaults
  const { approval = defaults.approval, untrusted = defaults.untrusted } = options
  return {
    name: tool.name,
    title: options.title,
    description: tool.description || tool.name,
    category: options.category ?? 'langchain',
    inputSchema: toInputSchema(tool),
    outputSchema: undefined,
    annotations,
    approval: toApproval(approval),
    ...{ untrusted, idempotent, timeoutMs: options.timeoutMs },
    async run(args, context) {
      const scene = options.sceneOf?.(context)
      const id = context.tool_call_id ?? context.call_id
      const call = { type: 'tool_call' as const, id, name: tool.name, args }
      try {
        const config = toToolConfig(call, context, scene)
        const given = await tool.invoke(call as never, config as never)
        return toCallResult(isCommand(given) ? takeCommand(given, { id, tool, scene }) : given)
      } catch (error) {
        return toFailure(error, context.signal)
      }
    },
  }
}

/** The same options for each tool of a list, as `MultiServerMCPClient.getTools()` gives it. */
export function fromLangChainTools(
  tools: readonly LangChainTool[],
  options?: FromToolOptions,
): OwnTool[] {
  return tools.map((tool) => fromLangChainTool(tool, options))
}

const namePattern = /^[a-zA-Z0-9_.-]{1,64}$/

function assertName(name: string): void {
  if (namePattern.test(name)) return
  throw new AppError(
    'config_invalid',
    `The name of the tool ${JSON.stringify(name)} must have 1 to 64 letters, digits, _ . or -.`,
  )
}

/**
 * What an MCP server says of its tool: `@langchain/mcp-adapters` keeps it, also where it is silent.
 * Undefined for a tool of no server.
 */
function servedAnnotationsOf(tool: object): ToolAnnotations | undefined {
  const { metadata } = tool as { metadata?: { annotations?: ToolAnnotations | null } }
  return metadata && 'annotations' in metadata ? (metadata.annotations ?? {}) : undefined
}

type Defaults = Required<Pick<OwnTool, 'untrusted'>> & { approval: OwnApproval }

const ownDefaults: Defaults = { approval: 'allow', untrusted: false }

/** As the hub has it for a server that an administrator registered. */
function defaultsOf({ destructiveHint, openWorldHint }: ToolAnnotations): Defaults {
  return {
    approval: destructiveHint === true ? 'ask' : 'allow',
    untrusted: openWorldHint !== false,
  }
}

function toApproval(approval: NonNullable<FromToolOptions['approval']>): OwnTool['approval'] {
  if (typeof approval !== 'function') return approval
  return (args) => {
    try {
      return approval(args)
    } catch {
      return 'ask'
    }
  }
}

interface Called {
  id: string
  tool: LangChainTool
  scene: ToolScene | undefined
}

/** The message that answers the call; the rest goes to the state. */
function takeCommand(command: Command, { id, tool, scene }: Called): unknown {
  const from = `The tool ${tool.name}`
  const { answer, rest } = splitAnswer(readCommand(command, from), id)
  const names = Object.keys(rest)
  if (names.length > 0 && !scene) {
    const told = `${from} gave a Command that sets ${names}, and no middleware has brought it.`
    throw new AppError('invalid_result', told)
  }
  if (names.length > 0) scene?.update(rest)
  return answer ?? ''
}

export function toFailure(error: unknown, signal: AbortSignal): CallToolResult {
  if (error instanceof ToolInputParsingException || isNamed(error, 'ToolInputParsingException')) {
    throw new AppError('invalid_arguments', (error as Error).message, { cause: error })
  }
  if (isAppError(error) || signal.aborted) throw error
  return toFailed(wordsOf(error))
}

function toFailed(text: string): CallToolResult {
  return { content: [{ type: 'text' as const, text }], isError: true }
}

function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const isInterrupt = isGraphInterrupt(error) || text.includes('Called interrupt()')
  return isInterrupt ? interrupted : text
}

const interrupted =
  "The tool called interrupt(), which nobody here answers: give it approval: 'ask' in its options."

/** Another copy of the package has another class. */
function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && (error.name === name || error.constructor.name === name)
}
