import { type CatalogueEntry, createToolset, defineTool } from '@dataagent/hub'
import { z } from 'zod'
import type { ToolServer } from '../contract.ts'
import { createToolPromptTools } from './tool-prompt-tools.ts'

export function toServer(name: string, description: string): ToolServer {
  return { server_id: name, name, description, trigger_keywords: [] }
}

/** Tools `tool_0` … of a server, each with a long description and two parameters. */
export function toEntries(server: string, count: number): CatalogueEntry[] {
  return Array.from({ length: count }, (_, n) =>
    toEntry(
      server,
      `tool_${n}`,
      `Does thing ${n}. And much more of which nobody needs to know now.`,
    ),
  )
}

export function toEntry(
  server_id: string,
  name: string,
  description: string,
  inputSchema: CatalogueEntry['tool']['definition']['inputSchema'] = toSchema(name),
): CatalogueEntry {
  return {
    tool: {
      tenant_id: 't1',
      server_id,
      name,
      state: 'active',
      version: 1,
      hash: '',
      definition: { name, description, inputSchema },
      findings: [],
      position: 0,
      created_at: 0,
      seen_at: 0,
    },
    offer: { status: 'offered' },
    sdk_name: `${server_id}.${name}`,
    wire_name: `${server_id}_${name}`.replaceAll('.', '_'),
  }
}

function toSchema(name: string): CatalogueEntry['tool']['definition']['inputSchema'] {
  return {
    type: 'object',
    properties: { [`parameter_of_${name}`]: { type: 'string', description: 'Something.' } },
    required: [`parameter_of_${name}`],
  }
}

const readFile = defineTool({
  name: 'read_file',
  description: 'Reads a file.',
  input: z.object({ path: z.string() }),
  run: () => '',
})
const noView = { entries: () => [], servers: () => [], describe: () => undefined }

/** Own tools as an agent has them: one of its own, and those that go with the prompt. */
export const own: readonly CatalogueEntry[] = createToolset([
  readFile,
  ...createToolPromptTools(noView),
]).entries
