import { createEgress } from '@dataagent/guard'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallRecord } from '../audit/index.ts'
import { createTracer } from '../tracing/index.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../tracing/test-otlp-receiver.ts'
import { callsOfEveryStatus, type EveryStatus, trace } from './test-every-status.ts'

describe('calls of every end, with a receiver of spans', () => {
  const cleanup = new AsyncDisposableStack()
  let receiver: OtlpReceiver
  let calls: EveryStatus
  let rows: CallRecord[]
  beforeAll(async () => {
    receiver = cleanup.use(await startOtlpReceiver())
    const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
    const tracer = createTracer({ endpoint: receiver.url, egress, serviceName: 'dataagent' })
    calls = cleanup.use(await callsOfEveryStatus({ tracer }))
    await tracer.flush()
    const { hub, admin } = calls.test
    await hub.audit.flush()
    rows = await hub.audit.query(admin, { limit: 100, offset: 0 })
  })
  afterAll(() => cleanup.disposeAsync())

  test('as many spans as calls, each closed and with the ids of its row [A5.1] [A5.2]', () => {
    expect(rows).toHaveLength(calls.outcomes.size)
    expect(receiver.spans).toHaveLength(rows.length)
    for (const row of rows) {
      const span = receiver.spans.find(({ span_id }) => span_id === row.span_id)
      expect(span, row.status).toMatchObject({
        trace_id: row.trace_id,
        parent_span_id: trace.parent,
        attributes: {
          'gen_ai.tool.name': row.tool_name,
          'gen_ai.tool.call.id': row.call_id,
          'gen_ai.agent.id': 'a',
          'session.id': 's1',
          'user.id': 'ada',
          'dataagent.tenant_id': 'acme',
          'dataagent.server_id': row.server_id,
          'dataagent.status': row.status,
          'dataagent.schema_version': 1,
          'dataagent.input_validation': row.input_validation,
        },
        status: row.status === 'ok' ? {} : { code: 2 },
      })
      expect(span?.end).toBeGreaterThanOrEqual(span?.start ?? 0n)
    }
  })

  test('the trace goes on to the server, with the span of the call as parent [A5.1]', async () => {
    const sent = (await calls.mall.calls()).map(({ _meta }) => _meta.traceparent)
    const expected = rows
      .filter(({ attempts }) => attempts > 0)
      .map(({ span_id }) => `00-${trace.trace_id}-${span_id}-01`)
    expect(sent.toSorted()).toEqual(expected.toSorted())
  })
})

test("without a receiver the turn's own trace still reaches the server [A5.1]", async () => {
  await using calls = await callsOfEveryStatus()
  for (const { _meta } of await calls.mall.calls()) {
    expect(_meta.traceparent).toContain(trace.trace_id)
  }
})
