import type { ToolDefinition } from '@dataagent/schema'
import { type OwnTool, ownServerId } from '../define-tool/index.ts'
import { platformTenant } from '../servers/index.ts'
import type { CatalogueTool } from './contract.ts'
import { hashDefinition } from './read-definition.ts'

/** A tool of our own as the catalogue has it. */
export function toOwnTool(own: OwnTool, position: number, now: number): CatalogueTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = own
  const definition: ToolDefinition = {
    name,
    description,
    inputSchema,
    annotations,
    ...(title !== undefined && { title }),
    ...(outputSchema && { outputSchema }),
  }
  return {
    tenant_id: platformTenant,
    server_id: ownServerId,
    name,
    state: 'active',
    version: 1,
    hash: hashDefinition(definition),
    definition,
    findings: [],
    position,
    created_at: now,
    seen_at: now,
  }
}
