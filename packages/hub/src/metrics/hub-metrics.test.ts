import { register as globalRegistry, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createHubMetrics } from './hub-metrics.ts'

test('calls are counted by server and status, and timed by server', async () => {
  const metrics = createHubMetrics()
  metrics.callEnded({ server_id: 'mall4j', status: 'ok', seconds: 0.02 })
  metrics.callEnded({ server_id: 'mall4j', status: 'ok', seconds: 7 })
  metrics.callEnded({ server_id: 'mall4j', status: 'timeout', seconds: 5 })
  metrics.callEnded({ server_id: null, status: 'denied', seconds: 0 })
  const text = await metrics.text()
  expect(text).toContain('dataagent_tool_calls_total{server_id="mall4j",status="ok"} 2')
  expect(text).toContain('dataagent_tool_calls_total{server_id="mall4j",status="timeout"} 1')
  expect(text).toContain('dataagent_tool_calls_total{server_id="none",status="denied"} 1')
  expect(text).toContain(
    'dataagent_tool_call_duration_seconds_bucket{le="0.025",server_id="mall4j"} 1',
  )
  expect(text).toContain('dataagent_tool_call_duration_seconds_count{server_id="mall4j"} 3')
  expect(metrics.contentType).toContain('text/plain')
})

test('servers beyond a number are counted together', async () => {
  const metrics = createHubMetrics({ maxServers: 3 })
  for (let n = 0; n < 1_000; n += 1) {
    metrics.callEnded({ server_id: `s${n}`, status: 'ok', seconds: 1 })
  }
  const text = await metrics.text()
  expect(text).toContain('{server_id="other",status="ok"} 997')
  expect(text.match(/status="ok"/g)).toHaveLength(4)
})

test('sources are asked at every look', async () => {
  const metrics = createHubMetrics()
  let waiting = 3
  metrics.watch({ auditWaiting: () => waiting, spansDropped: () => 2 })
  metrics.watch({ approvalsPending: async () => 4, limiterFallbacks: () => 5 })
  metrics.watch({ upstreams: () => ({ ready: 6, away: 1 }) })
  const text = await metrics.text()
  for (const line of [
    'dataagent_audit_waiting 3',
    'dataagent_spans_dropped 2',
    'dataagent_approvals_pending 4',
    'dataagent_limiter_fallbacks 5',
    'dataagent_upstreams{state="ready"} 6',
    'dataagent_upstreams{state="away"} 1',
  ]) {
    expect(text).toContain(line)
  }
  waiting = 0
  metrics.watch({ upstreams: () => ({ ready: 7 }) })
  const later = await metrics.text()
  expect(later).toContain('dataagent_audit_waiting 0')
  expect(later).not.toContain('state="away"')
})

test('a source that fails takes no other with it', async () => {
  const metrics = createHubMetrics()
  const fail = () => {
    throw new Error('away')
  }
  metrics.watch({ approvalsPending: () => Promise.reject(new Error('away')), upstreams: fail })
  metrics.watch({ auditWaiting: () => 3 })
  expect(await metrics.text()).toContain('dataagent_audit_waiting 3')
})

test('two in one process do not meet, and nothing is global', async () => {
  const [one, two] = [createHubMetrics(), createHubMetrics()]
  one.callEnded({ server_id: 'a', status: 'ok', seconds: 1 })
  expect(await two.text()).not.toContain('server_id="a"')
  expect(globalRegistry.getMetricsAsArray()).toEqual([])
})

test('they can stand in a registry with others', async () => {
  const registry = new Registry()
  createHubMetrics({ registry }).callEnded({ server_id: 'a', status: 'ok', seconds: 1 })
  expect(await registry.metrics()).toContain('dataagent_tool_calls_total')
})
