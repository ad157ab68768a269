import type { Clock } from '@dataagent/guard'
import type { ApprovalRows } from './approvals/index.ts'
import type { Audit } from './audit/index.ts'
import type { HubMetrics } from './metrics/index.ts'
import type { Servers } from './servers/index.ts'
import type { Tracer } from './tracing/index.ts'
import type { Upstreams } from './upstreams/index.ts'

export interface MetricRooms {
  servers: Pick<Servers, 'all'>
  upstreams: Pick<Upstreams, 'health'>
  audit: Pick<Audit, 'waiting'>
  tracer: Pick<Tracer, 'dropped'>
  approvals: Pick<ApprovalRows, 'countPending'>
  clock: Clock
  limiterFallbacks(): number
}

/** What is counted when someone looks. */
export function watchHub(metrics: HubMetrics, rooms: MetricRooms): void {
  metrics.watch({
    auditWaiting: () => rooms.audit.waiting,
    spansDropped: () => rooms.tracer.dropped,
    upstreams: () => countStates(rooms),
    approvalsPending: () => rooms.approvals.countPending(rooms.clock.now()),
    limiterFallbacks: rooms.limiterFallbacks,
  })
}

function countStates({ servers, upstreams }: MetricRooms): Record<string, number> {
  const counts: Record<string, number> = { running: 0, stopped: 0, error: 0 }
  for (const { tenant_id, server_id } of servers.all()) {
    for (const { status } of upstreams.health(tenant_id, server_id)) {
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  return counts
}
