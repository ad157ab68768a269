import {
  callsExportQuerySchema,
  callsPageSchema,
  callsQuerySchema,
  callsTallyQuerySchema,
  callsTallySchema,
  chainReportSchema,
  changesPageSchema,
  changesQuerySchema,
} from '@dataagent/schema'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'
import { exportCalls } from './audit-export.ts'
import { toMinutesPeriod } from './minutes-period.ts'
import { openPage } from './open-page.ts'

/** What was called and changed, and whether the record of it is whole. */
export function auditRoutes(platform: GetPlatform): Route[] {
  const audit = () => platform().hub.audit
  return [
    defineRoute({
      ...{ method: 'GET', path: '/audit/calls', tag: 'audit', access: 'member' },
      summary: "Calls of tools, newest first: one's own, or the tenant's for who may read them.",
      query: callsQuerySchema,
      answer: callsPageSchema,
      async handle({ principal, query: { limit, offset, ...filters } }) {
        const { rows, ...page } = await openPage({ limit, offset }, (part) =>
          audit().query(principal, { ...filters, ...part }),
        )
        return { calls: rows, ...page }
      },
    }),
    defineRoute({
      ...{ method: 'GET', path: '/audit/calls/export', tag: 'audit', access: 'member' },
      summary: 'The same as one file.',
      query: callsExportQuerySchema,
      raw: { produces: 'application/x-ndjson' },
      async handle({ principal, query: { format, ...filters }, reply, signal }) {
        const { clock } = platform()
        const asked = { to: clock.now(), ...filters }
        const read = (part: ReadPart) => audit().query(principal, { ...asked, ...part })
        return exportCalls({ read, format, reply, signal })
      },
    }),
    defineRoute({
      ...{ method: 'GET', path: '/audit/calls/tally', tag: 'audit', access: 'member' },
      summary:
        'The same counted, by tool group or user, or of a day by minute and status; most calls first.',
      query: callsTallyQuerySchema,
      answer: callsTallySchema,
      async handle({ principal, query }) {
        const { by, ...filters } = query
        const { to = platform().clock.now(), from } = filters
        const period = by === 'minute' ? toMinutesPeriod({ from, to }) : {}
        return { by, rows: await audit().tally(principal, { ...filters, ...period }, by) }
      },
    }),
    defineRoute({
      ...{ method: 'GET', path: '/audit/changes', tag: 'audit', access: 'auditor' },
      summary: 'What was changed in the tenant and by whom, newest first.',
      query: changesQuerySchema,
      answer: changesPageSchema,
      async handle({ principal, query: { limit, offset, platform: ofAll, ...filters } }) {
        const asked = { ...filters, platform: ofAll === 'true' }
        const { rows, ...page } = await openPage({ limit, offset }, (part) =>
          audit().changes(principal, { ...asked, ...part }),
        )
        return { changes: rows, ...page }
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/audit/verify', tag: 'audit', access: 'auditor' },
      summary: 'Looks whether nothing was changed, added or taken away since it was written.',
      answer: chainReportSchema,
      handle: ({ principal }) => audit().verify(principal.tenant_id),
    }),
  ]
}

type ReadPart = { limit: number; offset: number; to?: number }
