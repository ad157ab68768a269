import type { Workspaces } from '@dataagent/core'
import type { Environment, SandboxOptions } from '@dataagent/guard'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { StructuredToolInterface } from '@langchain/core/tools'
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint'
import { type BackendProtocolV2, GENERAL_PURPOSE_SUBAGENT, type SubAgent } from 'deepagents'
import type { AgentMiddleware } from 'langchain'
import { createWorkspaceBackend } from '../backend/index.ts'
import { type GraphParts, type OwnParts, withoutTaken } from '../executor/index.ts'

export interface DeepAgentOptions extends OwnParts {
  /** Where the agent's files are: each user has a folder. */
  workspaces: Workspaces
  /** Whether it has `execute`, which asks. Default no. */
  shell?: boolean | undefined
  /** Of its commands. Default: nothing runs without a sandbox. */
  sandbox?: SandboxOptions | undefined
  shellEnv?: Environment | undefined
  /** Beside `general-purpose`, which is there unless one has its name. */
  subagents?: readonly SubAgent[] | undefined
}

export interface DeepAgentParams {
  model: BaseChatModel
  systemPrompt: string
  tools: StructuredToolInterface[]
  middleware: AgentMiddleware[]
  subagents: SubAgent[]
  backend: BackendProtocolV2
  checkpointer: BaseCheckpointSaver
}

/** Tools of ours that DeepAgents has its own of. */
const ownNames: ReadonlySet<string> = new Set([
  ...['read_file', 'write_file', 'edit_file', 'delete_file', 'list', 'glob', 'grep'],
  ...['shell', 'task'],
])

/**
 * What `createDeepAgent` is given so that its files are those of the user's workspace, its commands
 * run in our sandbox, and its sub-agents are governed as it is.
 */
export function toDeepAgent(parts: GraphParts, options: DeepAgentOptions): DeepAgentParams {
  const { workspaces, shell, sandbox, shellEnv } = options
  const { model, systemPrompt, checkpointer, context: contextOf } = parts
  const tools = [
    ...withoutTaken(parts.tools, options).filter(({ name }) => !ownNames.has(name)),
    ...(options.tools ?? []),
  ]
  const given = options.subagents ?? []
  const { name, description, systemPrompt: prompt } = GENERAL_PURPOSE_SUBAGENT
  const helper: SubAgent = { name, description, systemPrompt: prompt, tools: tools as never }
  const all = given.some((one) => one.name === name) ? given : [helper, ...given]
  return {
    ...{ model, systemPrompt, checkpointer, tools },
    middleware: parts.middleware(options.middleware),
    subagents: all.map((one) => toGoverned(one, parts, tools)),
    backend: createWorkspaceBackend({ workspaces, sandbox, shellEnv, shell, contextOf }),
  }
}

/** DeepAgents gives a sub-agent nothing of its caller's middleware. */
function toGoverned(
  subagent: SubAgent,
  parts: GraphParts,
  tools: readonly StructuredToolInterface[],
): SubAgent {
  const middleware = parts.middleware(subagent.middleware)
  return { ...subagent, tools: subagent.tools ?? (tools as never), middleware }
}
