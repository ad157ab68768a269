import { type CatalogueEntry, defineTool, type OwnTool } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { z } from 'zod'
import type { ToolServer } from '../contract.ts'
import { nameIndexOf } from '../explicit/name-index.ts'
import { toolSearchOf } from '../search/tool-search.ts'
import { promptToolNames } from './prompt-tool-names.ts'
import { toToldEntry } from './told-entry.ts'

/** What a run can use now, and where it notes what the model has asked for. */
export interface PromptToolsView {
  /** MCP tools that the agent may use now. */
  entries(): readonly CatalogueEntry[]
  servers(): readonly ToolServer[]
  /** From the next call of the model on this tool is given in full. */
  describe(wire_name: string): void
}

const linesMax = 10
const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
const name = z.string().min(1).max(256).describe('The name of the tool, as its line has it')

/** The own tools of one run that go with its tool prompt. */
export function createToolPromptTools(view: PromptToolsView): OwnTool[] {
  return [searchTool(view), describeTool(view), callTool()]
}

function searchTool(view: PromptToolsView): OwnTool {
  return defineTool({
    name: promptToolNames.search,
    title: 'Search tools',
    description:
      'Finds tools of connected servers by words of what they do, in any language they are described in.',
    category: 'tools',
    input: z.object({
      query: z.string().min(1).max(500).describe('A few words, such as "order details"'),
      limit: z.int().min(1).max(linesMax).default(linesMax),
    }),
    annotations,
    idempotent: true,
    run({ query, limit }) {
      const found = toolSearchOf(view.entries(), view.servers()).find(query, limit)
      if (found.length === 0) return 'No tool fits these words. Try others, or go on without.'
      view.describe(promptToolNames.search)
      return found.map((entry) => toToldEntry(entry).line).join('\n')
    },
  })
}

function describeTool(view: PromptToolsView): OwnTool {
  return defineTool({
    name: promptToolNames.describe,
    title: 'Describe a tool',
    description: 'Gives the whole description and the parameters (JSON Schema) of a tool.',
    category: 'tools',
    input: z.object({ name }),
    annotations,
    idempotent: true,
    run(args) {
      const found = findEntries(view, args.name)
      if (found.length === 0) throw new AppError('not_found', unknown(args.name))
      if (found.length > 1) return several(found)
      view.describe(found[0]!.wire_name)
      const { tool } = toToldEntry(found[0]!)
      return { name: tool.name, description: tool.description, parameters: tool.parameters }
    },
  })
}

function findEntries(view: PromptToolsView, called: string): readonly CatalogueEntry[] {
  const entries = view.entries()
  const exact = entries.find(({ wire_name }) => wire_name === called)
  return exact ? [exact] : (nameIndexOf(entries, view.servers()).find(called)?.entries ?? [])
}

const unknown = (called: string) =>
  `there is no tool ${JSON.stringify(called)}: use a name that a line or ${promptToolNames.search} gave`

function several(found: readonly CatalogueEntry[]): string {
  const lines = found.slice(0, linesMax).map((entry) => toToldEntry(entry).line)
  return ['Several tools are called so. Use one of these names:', ...lines].join('\n')
}

/** The engine puts the tool that is meant in its place: this runs only where it names none. */
function callTool(): OwnTool {
  return defineTool({
    name: promptToolNames.call,
    title: 'Call a tool',
    description:
      'Calls a tool by its name. Where the arguments do not fit, the error has its parameters.',
    category: 'tools',
    input: z.object({
      name,
      arguments: z.record(z.string(), z.unknown()).default({}).describe('Its arguments'),
    }),
    run() {
      throw new AppError('invalid_request', 'name a tool of a connected server')
    },
  })
}
