import { metaKeys, modernVersions } from '@dataagent/mcp'
import type { Caller } from './contract.ts'
import type { FeatureServers } from './feature-servers.ts'
import { agreeOn } from './versions.ts'

export interface IntroductionOptions {
  servers: Pick<FeatureServers, 'all'>
  serverInfo: { name: string; title?: string; version: string }
}

/** What the gateway says of itself: as much as the servers of the caller's group can do. */
export function createIntroduction({ servers, serverInfo }: IntroductionOptions) {
  function capabilitiesFor(caller: Caller) {
    const all = servers.all(caller)
    const has = (name: string) => all.some(({ capabilities }) => Object.hasOwn(capabilities, name))
    return {
      tools: { listChanged: true },
      ...(has('resources') && { resources: { subscribe: true, listChanged: true } }),
      ...(has('prompts') && { prompts: { listChanged: true } }),
      ...(has('completions') && { completions: {} }),
      ...(has('logging') && { logging: {} }),
    }
  }

  /** What servers say to the model, each under its name: the gateway says none of it. */
  function instructionsFor(caller: Caller): { instructions?: string } {
    const said = servers.all(caller).filter(({ instructions }) => instructions)
    const texts = said.map(({ name, instructions }) => `${name}: ${instructions}`)
    return texts.length > 0 ? { instructions: texts.join('\n\n') } : {}
  }

  return {
    serverInfo,
    capabilitiesFor,
    /** The answer to `initialize`. */
    initialize: (caller: Caller, params: Record<string, unknown> | undefined) => ({
      protocolVersion: agreeOn(params?.protocolVersion),
      capabilities: capabilitiesFor(caller),
      serverInfo,
      ...instructionsFor(caller),
    }),
    /** The answer to `server/discover`. */
    discover: (caller: Caller) => ({
      resultType: 'complete',
      supportedVersions: modernVersions,
      capabilities: capabilitiesFor(caller),
      ...instructionsFor(caller),
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [metaKeys.serverInfo]: serverInfo },
    }),
  }
}
