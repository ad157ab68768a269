import type { ServerCapabilities } from '@dataagent/mcp'
import { takeOutHidden } from '../poisoning/index.ts'
import type { JudgedContext } from '../policy/index.ts'
import type { RegisteredServer } from '../servers/index.ts'
import { toUpstreamKey, type Upstreams } from '../upstreams/index.ts'
import type { FeatureServer } from './contract.ts'
import type { MethodJudge } from './judge-method.ts'

interface ListMeans {
  judge: Pick<MethodJudge, 'visible' | 'isAllowed'>
  upstreams: Pick<Upstreams, 'describe'>
}

/** Which methods make a capability of use. */
const methodsOf: Record<string, string[]> = {
  resources: ['resources/list', 'resources/read'],
  prompts: ['prompts/list', 'prompts/get'],
  completions: ['completion/complete'],
  logging: ['logging/setLevel'],
}

const instructionsMax = 8_192

/** Those that are connected and of which the caller may use something. */
export function listServers(context: JudgedContext, means: ListMeans): FeatureServer[] {
  const found = means.judge
    .visible(context)
    .flatMap((server) => describe(context, server, means) ?? [])
  return found.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
}

function describe(
  context: JudgedContext,
  server: RegisteredServer,
  { judge, upstreams }: ListMeans,
): FeatureServer | undefined {
  const key = toUpstreamKey(server, context.principal.user_id)
  const said = upstreams.describe(key)
  if (said === undefined) return undefined
  const isUsable = (name: string) =>
    methodsOf[name]?.some((method) => judge.isAllowed(context, server, method)) ?? true
  if (!Object.keys(methodsOf).some(isUsable)) return undefined
  const { tenant_id, server_id, user_id } = key
  const { config } = server
  const entries = Object.entries(said.capabilities).filter(([name]) => isUsable(name))
  return {
    ...{ server_id, tenant_id, user_id, name: config.alias ?? config.name },
    capabilities: Object.fromEntries(entries) as ServerCapabilities,
    ...(said.instructions !== undefined && { instructions: toPlain(said.instructions) }),
  }
}

function toPlain(instructions: string): string {
  return takeOutHidden(instructions.slice(0, instructionsMax)).text
}
