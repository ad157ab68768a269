import type { CatalogueEntry } from '@dataagent/hub'
import type { ToolServer } from '../../intent/index.ts'
import { shopTools } from './test-conversation.ts'

/** The tools of the conversation tests as tools of MCP servers. */
export function toMcpEntries(): { entries: CatalogueEntry[]; servers: ToolServer[] } {
  const entries = shopTools.map(({ name, description, parameters }, position): CatalogueEntry => {
    const [server_id = '', ...parts] = name.split('_')
    const own = parts.join('_')
    return {
      tool: {
        ...{ tenant_id: 't1', server_id, name: own, state: 'active', version: 1, hash: '' },
        definition: { name: own, description, inputSchema: parameters as never },
        ...{ findings: [], position, created_at: 0, seen_at: 0 },
      },
      offer: { status: 'offered' },
      sdk_name: `${server_id}.${own}`,
      wire_name: name,
    }
  })
  const ids = [...new Set(entries.map(({ tool }) => tool.server_id))]
  const servers = ids.map((server_id) => ({
    ...{ server_id, name: server_id, description: `The ${server_id}.` },
    trigger_keywords: server_id === 'mall' ? ['订单'] : [],
  }))
  return { entries, servers }
}
