import type { ServerCapabilities } from '@dataagent/mcp'
import { scanText, takeOutHidden } from '../poisoning/index.ts'
import type { JudgedContext } from '../policy/index.ts'
import { createRecent } from '../recent.ts'
import type { RegisteredServer } from '../servers/index.ts'
import { toUpstreamKey, type Upstreams } from '../upstreams/index.ts'
import type { FeatureServer } from './contract.ts'
import type { MethodJudge } from './judge-method.ts'

interface ListMeans {
  judge: Pick<MethodJudge, 'visible' | 'isAllowed'>
  upstreams: Pick<Upstreams, 'describe'>
  readInstructions: ReadInstructions
}

/** What may be shown of them; empty where nothing may. */
type ReadInstructions = (instructions: string) => string

/** Which methods make a capability of use. */
const methodsOf: Record<string, string[]> = {
  resources: ['resources/list', 'resources/read'],
  prompts: ['prompts/list', 'prompts/get'],
  completions: ['completion/complete'],
  logging: ['logging/setLevel'],
}

const instructionsMax = 8_192
const knownMax = 1_000

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
  { judge, upstreams, readInstructions }: ListMeans,
): FeatureServer | undefined {
  const key = toUpstreamKey(server, context.principal.user_id)
  const said = upstreams.describe(key)
  if (said === undefined) return undefined
  const isUsable = (name: string) =>
    methodsOf[name]?.some((method) => judge.isAllowed(context, server, method)) ?? true
  if (!Object.keys(methodsOf).some(isUsable)) return undefined
  const { tenant_id, server_id, user_id } = key
  const { config, created_at } = server
  const entries = Object.entries(said.capabilities).filter(([name]) => isUsable(name))
  const instructions = readInstructions(said.instructions ?? '')
  return {
    ...{ server_id, tenant_id, user_id, name: config.alias ?? config.name, created_at },
    lists: ['resources/list', 'prompts/list'].filter((one) =>
      judge.isAllowed(context, server, one),
    ),
    capabilities: Object.fromEntries(entries) as ServerCapabilities,
    ...(instructions !== '' && { instructions }),
  }
}

/** Reads each text once: a listing is asked for often. */
export function createInstructionsReader(): ReadInstructions {
  const known = createRecent<string>(knownMax)
  return (instructions) => {
    // A slice would keep all of it in memory.
    const given = Buffer.from(instructions.slice(0, instructionsMax)).toString()
    const found = known.get(given)
    if (found !== undefined) return found
    const { text, findings } = takeOutHidden(given)
    const isSuspect = [...findings, ...scanText(text)].some(({ severity }) => severity === 'high')
    const shown = isSuspect ? '' : text
    known.set(given, shown)
    return shown
  }
}
