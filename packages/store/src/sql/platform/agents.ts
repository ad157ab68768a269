import { createDefinitions, type Definitions } from './definitions.ts'
import type { AgentRow, PlatformOptions, Stored } from './tables.ts'

/** Agents that administrators have set up, by assistant_id. */
export type Agents = Definitions<AgentRow>

const flags = [
  'enable_memory',
  'enable_skills',
  'enable_shell',
  'auto_approve',
  'enabled',
] as const satisfies (keyof AgentRow)[]

export function createAgents(options: PlatformOptions): Agents {
  return createDefinitions<AgentRow>({
    ...options,
    table: 'agents',
    id: 'assistant_id',
    toStored: (agent) => ({ ...agent, ...mapFlags(agent, Number) }) satisfies Stored<AgentRow>,
    fromStored: (stored) => ({ ...stored, ...mapFlags(stored, Boolean) }) as unknown as AgentRow,
  })
}

function mapFlags<T>(
  row: Partial<Record<(typeof flags)[number], unknown>>,
  map: (value: unknown) => T,
) {
  return Object.fromEntries(flags.map((flag) => [flag, map(row[flag])])) as Record<
    (typeof flags)[number],
    T
  >
}
