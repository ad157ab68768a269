import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { type Shop, ShopError } from '../shop/shop.ts'

/** A tool as clients see it, and what it does. */
export interface MallTool {
  definition: Tool
  /** Throws a ShopError for arguments that do not fit, or that the shop cannot do. */
  run(shop: Shop, args: unknown): object
}

export interface ToolSpec<I extends z.ZodObject, O extends z.ZodObject> {
  name: string
  title: string
  description: string
  input: I
  output: O
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean }
  run(shop: Shop, args: z.output<I>): z.output<O>
}

/** Only this shop's own database is touched, by every tool. */
const closedWorld = { openWorldHint: false }

export const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true }

export function createMallTool<I extends z.ZodObject, O extends z.ZodObject>(
  spec: ToolSpec<I, O>,
): MallTool {
  const { name, title, description, input, output, annotations } = spec
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: toSchema(input, 'input'),
      outputSchema: toSchema(output, 'output'),
      annotations: { title, ...annotations, ...closedWorld },
    },
    run(shop, args) {
      const { success, data, error } = input.safeParse(args)
      if (!success) throw new ShopError(`Arguments of ${name}: ${z.prettifyError(error)}`)
      return spec.run(shop, data)
    },
  }
}

/** JSON Schema of the dialect that MCP takes where none is named. */
function toSchema(schema: z.ZodObject, io: 'input' | 'output'): Tool['inputSchema'] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io })
  return rest as Tool['inputSchema']
}
