import { modelListSchema } from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'

/** Models; their providers are in model-providers.ts. */
export function modelRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ method: 'GET', path: '/models', tag: 'models', access: 'user' },
      summary: 'The models that an agent may be given.',
      answer: modelListSchema,
      handle: ({ principal }) => ({ models: platform().agents.models(principal.tenant_id) }),
    }),
  ]
}
