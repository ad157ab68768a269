import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  type Answer,
  type Received,
  startTestService,
  type TestService,
} from '../sinks/test-service.ts'

const anything = z.record(z.string(), z.unknown())
const traceId = z.string().regex(/^[0-9a-f]{32}$/)
const spanId = z.string().regex(/^[0-9a-f]{16}$/)
const text = z.strictObject({ stringValue: z.string() })

const itemSchema = z.strictObject({
  datasetName: z.string().min(1),
  id: z.string().min(1).max(255),
  input: anything,
  expectedOutput: anything,
  metadata: anything,
})

const runItemSchema = z.strictObject({
  runName: z.string().min(1),
  datasetItemId: z.string().min(1),
  observationId: spanId,
  traceId,
  metadata: anything,
})

const scoreSchema = z
  .strictObject({
    id: z.string(),
    traceId: traceId.optional(),
    datasetRunId: z.string().optional(),
    name: z.string().min(1),
    comment: z.string().optional(),
    value: z.union([z.number(), z.string().min(1).max(500)]),
    dataType: z.enum(['BOOLEAN', 'NUMERIC', 'CATEGORICAL']),
  })
  .refine(({ traceId, datasetRunId }) => (traceId === undefined) !== (datasetRunId === undefined))
  .refine(({ value, dataType }) => (typeof value === 'string') === (dataType === 'CATEGORICAL'))
  .refine(({ value, dataType }) => dataType !== 'BOOLEAN' || value === 0 || value === 1)

const spanSchema = z.strictObject({
  traceId,
  spanId,
  parentSpanId: spanId.optional(),
  name: z.string().min(1),
  kind: z.literal(1),
  startTimeUnixNano: z.string().regex(/^\d+$/),
  endTimeUnixNano: z.string().regex(/^\d+$/),
  attributes: z.array(
    z.strictObject({
      key: z.string(),
      value: z.union([
        text,
        z.strictObject({ arrayValue: z.strictObject({ values: z.array(text) }) }),
      ]),
    }),
  ),
  status: z.strictObject({
    code: z.union([z.literal(0), z.literal(2)]),
    message: z.string().optional(),
  }),
})

const exportSchema = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(anything) }),
      scopeSpans: z.array(
        z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(spanSchema) }),
      ),
    }),
  ),
})

type StoredItem = z.infer<typeof itemSchema> & { status: string; datasetId: string }

export interface StoredSpan {
  trace: string
  id: string
  parent: string | undefined
  name: string
  ms: number
  attributes: Record<string, string | string[]>
}

/** A stand-in of Langfuse's public API, with what it was given. */
export interface LangfuseStandIn extends TestService {
  datasets: { id: string; name: string }[]
  items: StoredItem[]
  runItems: z.infer<typeof runItemSchema>[]
  scores: z.infer<typeof scoreSchema>[]
  spans: StoredSpan[]
}

export async function startLangfuse(
  keys = { publicKey: 'pk-lf-1', secretKey: 'sk-lf-2' },
): Promise<LangfuseStandIn> {
  const kept: Pick<LangfuseStandIn, 'datasets' | 'items' | 'runItems' | 'scores' | 'spans'> = {
    ...{ datasets: [], items: [], runItems: [], scores: [], spans: [] },
  }
  const pair = Buffer.from(`${keys.publicKey}:${keys.secretKey}`).toString('base64')

  const routes: Record<string, (request: Received) => Answer> = {
    'POST /v2/datasets': (request) => {
      const { name } = z.strictObject({ name: z.string().min(1) }).parse(request.json())
      return { status: 200, body: keep(kept.datasets, name, { id: randomUUID(), name }) }
    },
    'GET /dataset-items': ({ query }) => {
      const all = kept.items.filter((one) => one.datasetName === query.get('datasetName'))
      const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))]
      const meta = {
        page,
        limit,
        totalItems: all.length,
        totalPages: Math.ceil(all.length / limit),
      }
      return { status: 200, body: { data: all.slice((page - 1) * limit, page * limit), meta } }
    },
    'POST /dataset-items': (request) => {
      const item = itemSchema.parse(request.json())
      const dataset = kept.datasets.find(({ name }) => name === item.datasetName)
      if (!dataset) return { status: 404 }
      const stored = { ...item, status: 'ACTIVE', datasetId: dataset.id }
      const at = kept.items.findIndex(({ id }) => id === item.id)
      kept.items.splice(at === -1 ? kept.items.length : at, 1, stored)
      return { status: 200, body: stored }
    },
    'POST /dataset-run-items': (request) => {
      const item = runItemSchema.parse(request.json())
      if (!kept.items.some(({ id }) => id === item.datasetItemId)) return { status: 404 }
      kept.runItems.push(item)
      return { status: 200, body: { id: randomUUID(), datasetRunId: `run of ${item.runName}` } }
    },
    'POST /scores': (request) => {
      const score = scoreSchema.parse(request.json())
      kept.scores.push(score)
      return { status: 200, body: { id: score.id } }
    },
    'POST /otel/v1/traces': (request) => {
      const { resourceSpans } = exportSchema.parse(request.json())
      const spans = resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans))
      kept.spans.push(...spans.map(toStored))
      return { status: 200, body: {} }
    },
  }

  const service = await startTestService((request) => {
    if (request.headers.authorization !== `Basic ${pair}`) return { status: 401 }
    const route = routes[`${request.method} ${request.path.replace('/api/public', '')}`]
    if (!route) throw new Error('no such route')
    return route(request)
  })
  return Object.assign(service, kept)
}

function keep<T extends { name: string }>(all: T[], name: string, made: T): T {
  const found = all.find((one) => one.name === name)
  if (!found) all.push(made)
  return found ?? made
}

function toStored(span: z.infer<typeof spanSchema>): StoredSpan {
  const { traceId: trace, spanId: id, parentSpanId: parent, name } = span
  const ns = BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)
  const attributes = Object.fromEntries(
    span.attributes.map(({ key, value }) => [
      key,
      'stringValue' in value
        ? value.stringValue
        : value.arrayValue.values.map((one) => one.stringValue),
    ]),
  )
  return { trace, id, parent, name, ms: Number(ns / 1_000_000n), attributes }
}
