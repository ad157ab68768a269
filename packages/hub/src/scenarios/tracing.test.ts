import { createEgress } from '@dataagent/guard'
import { type OtlpReceiver, startOtlpReceiver } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallRecord } from '../audit/index.ts'
import { createTracer } from '../tracing/index.ts'
import { callsOfEveryStatus, type EveryStatus, trace } from './test-every-status.ts'
import { toContext } from './test-hub.ts'
import { auditOf, getOrder, startMallHub } from './test-mall-hub.ts'

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

  const spansOf = (kind: RegExp) => receiver.spans.filter(({ name }) => kind.test(name))

  test('as many spans as calls, each closed and with the ids of its row [A5.1] [A5.2]', () => {
    expect(rows).toHaveLength(calls.outcomes.size)
    expect(spansOf(/^execute_tool /)).toHaveLength(rows.length)
    for (const row of rows) {
      const span = receiver.spans.find(({ span_id }) => span_id === row.span_id)
      expect(span, row.status).toMatchObject({
        name: `execute_tool ${row.tool_name}`,
        kind: 1,
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

  test('what goes to a server is a span of its own, closed however it ends [A5.2]', () => {
    const sent = rows.filter(({ attempts }) => attempts > 0)
    expect(spansOf(/^tools\/call /)).toHaveLength(sent.length)
    for (const row of sent) {
      const span = receiver.spans.find(({ parent_span_id }) => parent_span_id === row.span_id)
      expect(span, row.status).toMatchObject({
        name: `tools/call ${row.tool_name}`,
        kind: 3,
        attributes: {
          'mcp.method.name': 'tools/call',
          'network.transport': 'tcp',
          'dataagent.server_id': row.server_id,
          'dataagent.transport': 'sse',
          'dataagent.attempts': row.attempts,
        },
        status: row.status === 'ok' ? {} : { code: 2 },
      })
    }
  })

  test('the trace goes on to the server, with the span of what is sent as parent [A5.1]', async () => {
    const sent = (await calls.mall.calls()).map(({ _meta }) => _meta.traceparent)
    const expected = spansOf(/^tools\/call /)
      .filter(({ attributes }) => attributes['dataagent.server_id'] !== 'away')
      .map(({ span_id }) => `00-${trace.trace_id}-${span_id}-01`)
    expect(sent.toSorted()).toEqual(expected.toSorted())
  })

  test('the wait for a person is a span within that of the call', () => {
    const row = rows.find(({ status }) => status === 'rejected')
    expect(spansOf(/^wait_for_approval$/)).toMatchObject([
      {
        parent_span_id: row?.span_id,
        attributes: {
          'dataagent.approval_id': row?.approval_id,
          'dataagent.approval.decision': 'reject',
          'dataagent.approval.via': 'person',
        },
      },
    ])
  })
})

test.each([
  [{}, [false, false]],
  [{ traceArgs: true }, [true, false]],
  [{ recordArgs: true }, [true, true]],
])('with %j arguments and results are in span and audit: %j [C6.2]', async (settings, isIn) => {
  await using rig = await startMallHub({ hub: { settings } })
  const call = { tool: getOrder, args: { orderId: 'order-0001' } }
  const outcome = await rig.hub.callTool(toContext(), call)
  expect(outcome.status).toBe('ok')
  const { attributes } = await rig.spanOf(outcome)
  const { args, result } = await auditOf(rig.hub, outcome)
  const names = ['gen_ai.tool.call.arguments', 'gen_ai.tool.call.result']
  expect(names.map((name) => [name in attributes, args !== null && result !== null])).toEqual([
    isIn,
    isIn,
  ])
})

test("without a receiver the turn's own trace still reaches the server [A5.1]", async () => {
  await using calls = await callsOfEveryStatus()
  for (const { _meta } of await calls.mall.calls()) {
    expect(_meta.traceparent).toContain(trace.trace_id)
  }
})
