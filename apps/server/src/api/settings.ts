import { settingsListSchema } from '@dataagent/schema'
import { showSettings } from '../config/index.ts'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { requireOverseer } from './overseer.ts'

/** What the server was told, and by what. */
export function settingsRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ method: 'GET', path: '/settings', tag: 'operations', access: 'admin' },
      summary:
        'The settings that hold in this process, and where each comes from. With several tenants for administrators of the platform.',
      answer: settingsListSchema,
      handle({ principal }) {
        requireOverseer(platform(), principal)
        return { settings: showSettings(platform().config) }
      },
    }),
  ]
}
