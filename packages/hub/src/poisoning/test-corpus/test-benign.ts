import type { ToolDefinition } from '@dataagent/schema'
import { serviceTools } from './test-benign-services.ts'
import { textTools } from './test-benign-texts.ts'

/** Name, description, and the description of each argument. */
export type PlainTool = readonly [string, string, Record<string, string>]

/** Tools as honest servers have them; none should wait for a person. */
export const benignDefinitions: readonly ToolDefinition[] = [...serviceTools, ...textTools].map(
  ([name, description, fields]) => ({
    name,
    description,
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(fields).map(([key, text]) => [key, { type: 'string', description: text }]),
      ),
      required: Object.keys(fields).slice(0, 1),
      additionalProperties: false,
    },
    annotations: { title: name.replaceAll('_', ' '), readOnlyHint: true },
  }),
)
