import type { CatalogueEntry } from '@dataagent/hub'
import type { ModelTool } from '../models/index.ts'

/** What a message asks for, found without a model. */
export type IntentType = 'mcp' | 'memory' | 'hitl' | 'normal'

export interface Intent {
  type: IntentType
  /** The tool that the message names, as it names it. */
  tool_name?: string
  /** The server that the tool or a keyword belongs to. */
  server_id?: string
}

/** Words of a message that made it MCP intent. */
export interface MatchedWord {
  by: 'keyword' | 'name'
  /** The keyword as its server has it, or the name as the message has it. */
  word: string
  /** Undefined where no server has what is named, or several do. */
  server_id: string | undefined
}

/** Everything a message matched: the first is the intent. */
export interface IntentMatch {
  intent: Intent
  /** Why it is MCP intent; each of them once, the one that is the intent first. */
  words: readonly MatchedWord[]
  /** Entries that the message means: the tool that it names, or all of each matched server. */
  entries: readonly CatalogueEntry[]
}

/** A server as the recogniser and the prompt see it. */
export interface ToolServer {
  server_id: string
  name: string
  alias?: string | undefined
  /** Default: the server's name. */
  description: string
  trigger_keywords: readonly string[]
}

export interface IntentInput {
  message: string
  /** MCP tools that the agent may use now; those of running servers only. */
  entries: readonly CatalogueEntry[]
  servers: readonly ToolServer[]
  /** Whether an approval waits for this user's answer in the session. */
  hasPendingApproval: boolean
}

/**
 * Recognises what a message asks for. The cost is linear in the message and does not grow with the
 * number of keywords per character (they are compiled once per set of servers and kept).
 */
export interface IntentRecogniser {
  recognise(input: IntentInput): IntentMatch
}

export type ToolMode = 'auto' | 'intent' | 'always' | 'search'

/** What of the tools enters one request to the model. */
export interface ToolPrompt {
  /** As resolved from `auto`. */
  mode: Exclude<ToolMode, 'auto'>
  /** Appended to the system prompt; empty where nothing is said of MCP tools. */
  text: string
  /** The API's `tools` field: own tools, and what of MCP tools the mode gives. */
  tools: readonly ModelTool[]
  /** Estimated tokens of the above that are about MCP tools. */
  tokens: number
  /** How many MCP tools it tells of, by a line or in full. */
  offered: number
  /** What mode `always` would have cost in their place. */
  alwaysTokens: number
}

export interface ToolPromptInput {
  mode: ToolMode
  /** Above it `auto` is `intent` with `search_tools`. Default 2,000. */
  budgetTokens?: number | undefined
  /** Built-in and extra tools of the agent: always given in full. */
  own: readonly CatalogueEntry[]
  /** MCP tools that the agent may use now. */
  entries: readonly CatalogueEntry[]
  servers: readonly ToolServer[]
  /** What the turn's message matched; all turns of a run see the same. */
  match: IntentMatch
  /** Wire names of MCP tools whose schema the model has asked for or used in this conversation. */
  described: ReadonlySet<string>
}

/**
 * Builds what the model is told of tools [B3]. Pure; keeps what it computed per entry.
 *
 * - `always`: every MCP tool in full.
 * - `intent`: with MCP intent a level-1 line (name and one sentence) per matching tool in the text,
 *   and the tools `describe_tool` and `call_tool`; those in `described` in full. Without MCP intent
 *   nothing of them at all, neither text nor `tools`.
 * - `search`: the one tool `search_tools` (beside `describe_tool` and `call_tool` once something is
 *   found), no lines.
 */
export type BuildToolPrompt = (input: ToolPromptInput) => ToolPrompt
