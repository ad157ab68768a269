import { createEgress } from '@dataagent/guard'
import {
  createCanary,
  createFakeClock,
  expectNoCanary,
  startOtlpReceiver,
  waitFor,
} from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { DroppedSpans } from './exporter.ts'
import { createTracer, noTracer, type TracerOptions } from './tracer.ts'

const parent = {
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  tracestate: 'rojo=1',
}

test('every span arrives closed, with its ids, parents, kinds and attributes [A5.2]', async () => {
  await using rig = await createRig()
  const turn = rig.tracer.start('turn', { kind: 'server', parent })
  const call = rig.tracer.start('execute_tool x', { parent: turn.context })
  const upstream = rig.tracer.start('tools/call x', { kind: 'client', parent: call.context })
  call.set({ 'a.text': 'é', 'a.number': 7, 'a.part': 0.5, 'a.flag': false, 'a.list': ['x', 'y'] })
  call.set({ 'a.number': 8, 'a.nothing': undefined, 'a.nan': Number.NaN })
  call.event('approval.asked', { approval_id: 'p1' })
  for (const span of [upstream, call, turn]) span.end()
  await rig.tracer.flush()
  const [upstreamSpan, callSpan, turnSpan] = rig.receiver.spans
  expect(turnSpan).toMatchObject({
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    span_id: turn.span_id,
    parent_span_id: '00f067aa0ba902b7',
    tracestate: 'rojo=1',
    kind: 2,
    status: {},
  })
  expect(callSpan).toMatchObject({ parent_span_id: turn.span_id, kind: 1, name: 'execute_tool x' })
  expect(callSpan?.attributes).toEqual({
    'a.text': 'é',
    'a.number': 8,
    'a.part': 0.5,
    'a.flag': false,
    'a.list': ['x', 'y'],
  })
  expect(callSpan?.events).toMatchObject([
    { name: 'approval.asked', attributes: { approval_id: 'p1' } },
  ])
  expect(upstreamSpan).toMatchObject({ parent_span_id: call.span_id, kind: 3 })
  expect(upstreamSpan?.trace_id).toBe(turnSpan?.trace_id)
})

test('a span of a failed call is closed too, and says why [A5.2]', async () => {
  await using rig = await createRig()
  rig.tracer.start('call').end({ error: { type: 'timeout', message: 'no answer in 5 s' } })
  await rig.tracer.flush()
  expect(rig.receiver.spans).toMatchObject([
    {
      parent_span_id: undefined,
      attributes: { 'error.type': 'timeout' },
      events: [{ name: 'exception', attributes: { 'exception.message': 'no answer in 5 s' } }],
      status: { code: 2, message: 'no answer in 5 s' },
    },
  ])
})

test('a span ends once, and takes nothing afterwards', async () => {
  await using rig = await createRig()
  const span = rig.tracer.start('call')
  span.end()
  span.set({ late: true })
  span.event('late')
  span.end({ error: { type: 'late', message: 'late' } })
  await rig.tracer.flush()
  expect(rig.receiver.spans).toMatchObject([{ attributes: {}, events: [], status: {} }])
  expect(rig.receiver.spans).toHaveLength(1)
})

test('times are in nanoseconds, the end after the start by what the clock says', async () => {
  const clock = createFakeClock({ now: 1_700_000_000_123 })
  await using rig = await createRig({ clock })
  const span = rig.tracer.start('call')
  clock.advance(2.5)
  span.event('half-way')
  clock.advance(2.5)
  span.end()
  await rig.tracer.flush()
  const [found] = rig.receiver.spans
  expect(found?.start).toBe(1_700_000_000_123_000_000n)
  expect(found?.end).toBe(1_700_000_000_128_000_000n)
  expect(found?.events[0]?.time).toBe(1_700_000_000_125_500_000n)
})

test.each([
  ['', '/v1/traces'],
  ['/', '/v1/traces'],
  ['/api/public/otel', '/api/public/otel/v1/traces'],
  ['/api/public/otel/', '/api/public/otel/v1/traces'],
  ['/collect/v1/traces', '/collect/v1/traces'],
])('an endpoint with the path %j is asked at %j [A5.2]', async (path, asked) => {
  const headers = { authorization: 'Basic cGs6c2s=' }
  await using rig = await createRig({ headers }, path)
  rig.tracer.start('call').end()
  await rig.tracer.flush()
  expect(rig.receiver.requests[0]).toMatchObject({ path: asked, headers })
})

test('an endpoint that is none is refused', () => {
  const egress = createEgress({ policy: { mode: 'any' } })
  const create = () => createTracer({ endpoint: 'collector:4318', egress, serviceName: 's' })
  expect(create).toThrow(expect.objectContaining({ code: 'config_invalid' }))
})

test('the resource says which service it was', async () => {
  const resource = { 'deployment.environment.name': 'test' }
  await using rig = await createRig({ serviceVersion: '1.2.3', resource })
  rig.tracer.start('call').end()
  await rig.tracer.flush()
  expect(rig.receiver.spans[0]?.resource).toEqual({
    'service.name': 'dataagent',
    'service.version': '1.2.3',
    'telemetry.sdk.name': 'dataagent',
    'telemetry.sdk.language': 'nodejs',
    ...resource,
  })
})

test('spans go together when there are many, or after a time', async () => {
  const clock = createFakeClock()
  await using rig = await createRig({ clock, maxBatch: 3, everyMs: 2_000 })
  for (let n = 0; n < 3; n += 1) rig.tracer.start('call').end()
  await rig.tracer.flush()
  rig.tracer.start('call').end()
  await waitFor(() => clock.pending() > 0)
  clock.advance(2_000)
  await rig.receiver.waitForSpans(4)
  expect(rig.receiver.requests).toHaveLength(2)
})

test('a trace that its caller does not sample is not sent, and goes on unsampled', async () => {
  await using rig = await createRig()
  const traceparent = parent.traceparent.replace(/01$/, '00')
  const span = rig.tracer.start('call', { parent: { traceparent } })
  expect(span.context.traceparent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[\da-f]{16}-00$/)
  span.end()
  rig.tracer.start('other').end()
  await rig.tracer.flush()
  expect(rig.receiver.spans.map(({ name }) => name)).toEqual(['other'])
})

test('a share of the traces that begin here is sent, with all their spans', async () => {
  await using rig = await createRig({ sampleRatio: 0.5 })
  for (let n = 0; n < 200; n += 1) {
    const outer = rig.tracer.start('outer')
    rig.tracer.start('inner', { parent: outer.context }).end()
    outer.end()
  }
  await rig.tracer.flush()
  const outers = rig.receiver.spans.filter(({ name }) => name === 'outer')
  expect(outers.length).toBeGreaterThan(50)
  expect(outers.length).toBeLessThan(150)
  expect(rig.receiver.spans).toHaveLength(outers.length * 2)
})

test.each([429, 502, 503, 504])(
  'status %i is tried again after the time it names',
  async (status) => {
    const clock = createFakeClock()
    await using rig = await createRig({ clock })
    rig.receiver.answer = () => ({ status, headers: { 'retry-after': '7' } })
    rig.tracer.start('call').end()
    const flushed = rig.tracer.flush()
    await waitFor(() => rig.receiver.requests.length === 1 && clock.pending() === 2)
    rig.receiver.answer = undefined
    clock.advance(6_999)
    expect(rig.receiver.requests).toHaveLength(1)
    clock.advance(1)
    await flushed
    expect(rig.receiver.spans).toHaveLength(1)
    expect(rig.tracer.dropped).toBe(0)
  },
)

test('a receiver that stays away costs the spans, not the caller', async () => {
  const clock = createFakeClock()
  await using rig = await createRig({ clock })
  rig.receiver.answer = () => ({ status: 503 })
  rig.tracer.start('call').end()
  const flushed = rig.tracer.flush()
  for (let attempt = 1; attempt < 5; attempt += 1) {
    await waitFor(() => rig.receiver.requests.length === attempt)
    await waitFor(() => clock.pending() > 0)
    await clock.advanceAsync(20_000)
  }
  await flushed
  await waitFor(() => rig.tracer.dropped === 1)
  expect(rig.dropped).toEqual([{ spans: 1, reason: 'the receiver answered with status 503' }])
})

test('a refusal is final, and told without the credential [A5.3]', async () => {
  const canary = createCanary()
  await using rig = await createRig({ headers: { authorization: canary.header } })
  rig.receiver.answer = () => ({ status: 401, body: `no: ${canary.header}` })
  rig.tracer.start('call').end()
  await rig.tracer.flush()
  expect(rig.receiver.requests).toHaveLength(1)
  expect(rig.dropped).toEqual([{ spans: 1, reason: 'the receiver answered with status 401' }])
  await expectNoCanary([canary], [{ name: 'dropped', object: rig.dropped }])
})

test('spans that a receiver refuses of many are counted', async () => {
  await using rig = await createRig()
  const body = JSON.stringify({ partialSuccess: { rejectedSpans: '2', errorMessage: 'too old' } })
  rig.receiver.answer = () => ({ status: 200, body })
  for (let n = 0; n < 5; n += 1) rig.tracer.start('call').end()
  await rig.tracer.flush()
  expect(rig.tracer.dropped).toBe(2)
})

test('where the receiver does not keep up the oldest spans are dropped, and counted', async () => {
  const clock = createFakeClock()
  await using rig = await createRig({ clock, maxQueue: 10, maxBatch: 100 })
  for (let n = 0; n < 25; n += 1) rig.tracer.start(`call ${n}`).end()
  expect(rig.tracer.dropped).toBe(15)
  await rig.tracer.flush()
  expect(rig.receiver.spans.map(({ name }) => name)).toEqual(
    Array.from({ length: 10 }, (_, at) => `call ${15 + at}`),
  )
  expect(rig.dropped).toMatchObject([{ spans: 15 }])
})

test('closing waits for a receiver that is silent no longer than its time', async () => {
  const clock = createFakeClock()
  await using rig = await createRig({ clock, maxBatch: 1 })
  rig.receiver.answer = () => ({ status: 200, hangs: true })
  rig.tracer.start('call').end()
  await waitFor(() => rig.receiver.requests.length === 1)
  const closed = rig.tracer.close()
  clock.advance(5_000)
  await closed
  expect(rig.tracer.dropped).toBe(1)
  rig.tracer.start('late').end()
  await rig.tracer.flush()
})

test('an address that the egress does not allow is told, not thrown', async () => {
  await using egress = createEgress({ policy: { mode: 'public' } })
  await using rig = await createRig({ egress })
  rig.tracer.start('call').end()
  await rig.tracer.flush()
  expect(rig.dropped).toMatchObject([
    { spans: 1, reason: expect.stringContaining('egress_denied') },
  ])
})

test('one who listens badly does not hold up spans', async () => {
  const onDropped = () => {
    throw new Error('no')
  }
  await using rig = await createRig({ onDropped })
  rig.receiver.answer = () => ({ status: 400 })
  rig.tracer.start('call').end()
  await rig.tracer.flush()
  expect(rig.tracer.dropped).toBe(1)
})

test('without a tracer the trace of a caller is passed on as it is', () => {
  expect(noTracer.start('call', { parent }).context).toEqual(parent)
  const span = noTracer.start('call')
  span.end()
  expect(span.context.traceparent).toBe(`00-${span.trace_id}-${span.span_id}-02`)
})

async function createRig(options: Partial<TracerOptions> = {}, path = '') {
  const cleanup = new AsyncDisposableStack()
  const receiver = cleanup.use(await startOtlpReceiver())
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const dropped: DroppedSpans[] = []
  const tracer = createTracer({
    endpoint: receiver.url + path,
    egress,
    serviceName: 'dataagent',
    onDropped: (what) => dropped.push(what),
    ...options,
  })
  return {
    receiver,
    tracer,
    dropped,
    async [Symbol.asyncDispose]() {
      await tracer.close()
      await cleanup.disposeAsync()
    },
  }
}
