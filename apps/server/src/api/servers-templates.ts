import { platformTenant } from '@dataagent/hub'
import { templateListSchema } from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { switchOffUnapproved } from '../templates/index.ts'

const all = { path: '/mcp-servers/templates', tag: 'servers', answer: templateListSchema } as const

/** The commands that users may start as servers of their own. */
export function templateRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...all,
      ...{ method: 'GET', access: 'member', summary: 'Commands that users may start.' },
      handle: () => ({ templates: platform().templates.list() }),
    }),
    defineRoute({
      ...all,
      ...{ method: 'PUT', access: 'platform_admin' },
      summary: 'Sets the commands that users may start; holds within a second in all processes.',
      body: templateListSchema,
      async handle({ principal, body: { templates } }) {
        const { templates: book, note, hub, tables, log } = platform()
        const changed = {
          tenant_id: platformTenant,
          kind: 'setting',
          target: 'command_templates',
          action: 'changed',
          before: book.list(),
          after: templates,
        } as const
        await book.change(templates, note(principal, changed))
        await hub.revisions.publish(platformTenant, 'tenants')
        const means = { servers: hub.servers, users: tables.users, gate: book.gate, log }
        await switchOffUnapproved(principal, means)
        return { templates }
      },
    }),
  ]
}
