import { isPlainObject } from '@dataagent/schema'
import type { ModelMessage, ModelRequest, ModelTool } from '../contract.ts'
import { type Fact, readNotes } from './facts.ts'
import { readVerified, type VerifiedQuestion } from './verified-question.ts'

/** A tool that the model has heard of. */
export interface KnownTool {
  name: string
  description: string
  /** Undefined where only its line is known. */
  schema: unknown
}

/** What the model can see of tools in a request. */
export interface KnownTools {
  /** In full, from the `tools` field. */
  given: ReadonlyMap<string, ModelTool>
  /** Tools of servers: those given in full that are not our own, and those with a line. */
  all: readonly KnownTool[]
  byName: ReadonlyMap<string, KnownTool>
  /** Those of which the system prompt has only a line: the message was found to mean them. */
  lines: readonly KnownTool[]
  /** Schemas that `describe_tool` has given in this conversation. */
  schemas: ReadonlyMap<string, unknown>
  /** What the system prompt tells of the user. */
  notes: readonly Fact[]
  /** The question that the message means, where the system prompt has one. */
  verified: VerifiedQuestion | undefined
}

/** Own tools that are used by rules of their own, or when they are named. */
const ownNames: ReadonlySet<string> = new Set(
  'search_tools describe_tool call_tool read_result write_todos task remember recall forget read_file write_file edit_file list glob grep delete_file http_request fetch_url web_search shell read_skill list_sources describe_source run_sql profile_table make_chart export save_question'.split(
    ' ',
  ),
)

export function isOwnName(name: string): boolean {
  return ownNames.has(name)
}

export function knownTools({ tools, system, messages }: ModelRequest): KnownTools {
  const given = new Map(tools.map((tool) => [tool.name, tool]))
  const canCall = given.has('describe_tool') || given.has('call_tool')
  const schemas = describedIn(messages)
  const lines = (canCall ? readToolLines(afterIntroduction(system)) : [])
    .filter(({ name }) => !given.has(name))
    .map((line) => ({ ...line, schema: schemas.get(line.name) }))
  const full = tools.filter(({ name }) => !ownNames.has(name)).map(toKnown)
  const all = [...full, ...lines]
  const byName = new Map(all.map((tool) => [tool.name, tool]))
  return {
    given,
    all,
    byName,
    lines,
    schemas,
    notes: readNotes(system),
    verified: readVerified(system),
  }
}

const kept = new WeakMap<ModelTool, KnownTool>()

/** The same object for the same tool: what is computed of it can be kept. */
export function toKnown(tool: ModelTool): KnownTool {
  const known = kept.get(tool) ?? {
    name: tool.name,
    description: tool.description,
    schema: tool.parameters,
  }
  kept.set(tool, known)
  return known
}

/** Lines of tools stand after the sentence that names `describe_tool`. */
function afterIntroduction(system: string): string {
  const index = system.lastIndexOf('`describe_tool`')
  return index === -1 ? '' : system.slice(index)
}

const line = /^- ([\w-]{1,64})(?:: (.{0,400}))?$/gm

/** The tools of level-1 lines: `- wire_name: one sentence`. */
export function readToolLines(text: string): KnownTool[] {
  return [...text.matchAll(line)].map(([, name = '', description = '']) => ({
    name,
    description,
    schema: undefined,
  }))
}

function describedIn(messages: readonly ModelMessage[]): Map<string, unknown> {
  const found = new Map<string, unknown>()
  for (const message of messages) {
    if (message.role !== 'tool' || message.name !== 'describe_tool' || message.is_error) continue
    const described = readDescription(message.content)
    if (described) found.set(described.name, described.schema)
  }
  return found
}

/** The tool that a result of `describe_tool` tells of. */
export function readDescription(content: string): KnownTool | undefined {
  const value = parseJson(content)
  if (!isPlainObject(value) || typeof value.name !== 'string') return undefined
  const description = typeof value.description === 'string' ? value.description : ''
  return { name: value.name, description, schema: value.parameters ?? {} }
}

/** Undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
