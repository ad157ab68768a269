import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  type Answer,
  type Received,
  startTestService,
  type TestService,
} from '../sinks/test-service.ts'

const uuid = z.uuid()
const time = z.iso.datetime()
const anything = z.record(z.string(), z.unknown())

const runSchema = z.strictObject({
  id: uuid,
  trace_id: uuid,
  dotted_order: z.string().regex(/^\d{8}T\d{12}Z[0-9a-f-]{36}(\.\d{8}T\d{12}Z[0-9a-f-]{36})*$/),
  parent_run_id: uuid.optional(),
  session_name: z.string().min(1),
  name: z.string().min(1),
  run_type: z.enum(['chain', 'llm', 'tool']),
  start_time: time,
  end_time: time,
  tags: z.array(z.string()).optional(),
  reference_example_id: uuid.optional(),
})

const feedbackSchema = z.strictObject({
  id: uuid,
  run_id: uuid.nullable(),
  key: z.string().min(1),
  score: z.number().optional(),
  value: z.string().optional(),
  comment: z.string().optional(),
  feedback_source: z.strictObject({ type: z.literal('api'), metadata: z.strictObject({}) }),
  session_id: uuid,
  start_time: time.optional(),
})

const projectSchema = z.strictObject({
  name: z.string().min(1),
  extra: anything,
  description: z.null(),
  reference_dataset_id: uuid.optional(),
})

const datasetSchema = z.strictObject({
  name: z.string().min(1),
  extra: anything,
  data_type: z.literal('kv'),
})

const exampleSchema = z.strictObject({ metadata: anything })

interface StoredExample {
  id: string
  dataset_id: string
  inputs: unknown
  outputs: unknown
  metadata: Record<string, unknown>
}

export type StoredRun = z.infer<typeof runSchema> & {
  inputs: Record<string, unknown>
  outputs: Record<string, unknown>
  extra?: { metadata: Record<string, unknown> }
  error?: string
}

/** A stand-in of LangSmith's HTTP API, with what it was given. */
export interface LangSmithStandIn extends TestService {
  datasets: { id: string; name: string }[]
  examples: StoredExample[]
  projects: (z.infer<typeof projectSchema> & { id: string; end_time?: string })[]
  runs: StoredRun[]
  feedback: z.infer<typeof feedbackSchema>[]
}

export const langSmithKey = 'lsv2_pt_0123456789'

export async function startLangSmith({ key = langSmithKey } = {}): Promise<LangSmithStandIn> {
  const kept: Pick<LangSmithStandIn, 'datasets' | 'examples' | 'projects' | 'runs' | 'feedback'> = {
    ...{ datasets: [], examples: [], projects: [], runs: [], feedback: [] },
  }

  const routes: [method: string, path: RegExp, act: (request: Received) => Act][] = [
    ['GET', /^\/info$/, () => ok(info)],
    ['GET', /^\/datasets$/, ({ query }) => ok(byName(kept.datasets, query.get('name')))],
    ['POST', /^\/datasets$/, createDataset],
    ['GET', /^\/examples$/, listExamples],
    ['POST', /^\/v1\/platform\/datasets\/[^/]+\/examples$/, writeExamples],
    ['PATCH', /^\/v1\/platform\/datasets\/[^/]+\/examples$/, writeExamples],
    ['POST', /^\/sessions$/, upsertProject],
    ['PATCH', /^\/sessions\/[^/]+$/, endProject],
    ['POST', /^\/runs\/multipart$/, addRuns],
    ['POST', /^\/feedback$/, addFeedback],
  ]

  function createDataset(request: Received): Act {
    const { name } = datasetSchema.parse(request.json())
    const dataset = { id: randomUUID(), name }
    kept.datasets.push(dataset)
    return ok(dataset)
  }

  function listExamples({ query }: Received): Act {
    const found = kept.examples.filter((one) => one.dataset_id === query.get('dataset'))
    const offset = Number(query.get('offset'))
    return ok(found.slice(offset, offset + Number(query.get('limit'))))
  }

  async function writeExamples(request: Received): Promise<Answer> {
    const dataset_id = request.path.split('/')[4] ?? ''
    const parts = await request.parts()
    const ids = Object.keys(parts).filter((name) => !name.includes('.'))
    for (const id of ids) {
      const { metadata } = exampleSchema.parse(parts[id])
      const example = { inputs: parts[`${id}.inputs`], outputs: parts[`${id}.outputs`] }
      const found = kept.examples.find((one) => one.id === id)
      if ((found !== undefined) !== (request.method === 'PATCH')) throw new Error(`example ${id}`)
      if (found) Object.assign(found, example, { metadata })
      else kept.examples.push({ id, dataset_id, ...example, metadata })
    }
    return ok({ example_ids: ids, count: ids.length })
  }

  function upsertProject(request: Received): Act {
    const body = projectSchema.parse(request.json())
    const project = kept.projects.find(({ name }) => name === body.name)
    if (project && request.query.get('upsert') !== 'true') return { status: 409 }
    const made = project ?? { id: randomUUID(), ...body }
    if (!project) kept.projects.push(made)
    return ok(made)
  }

  function endProject(request: Received): Act {
    const schema = z.strictObject({
      ...{ name: z.null(), description: z.null(), extra: anything, end_time: time },
    })
    const { extra, end_time } = schema.parse(request.json())
    const project = kept.projects.find(({ id }) => request.path.endsWith(id))
    return ok(Object.assign(project ?? {}, { extra, end_time }))
  }

  async function addRuns(request: Received): Promise<Answer> {
    const parts = await request.parts()
    for (const [name, part] of Object.entries(parts)) {
      const [, id, field] = /^post\.([0-9a-f-]{36})(?:\.(\w+))?$/.exec(name) ?? []
      if (id === undefined) throw new Error(`part ${name}`)
      if (field !== undefined) continue
      const { inputs, outputs, extra, error } = Object.fromEntries(
        ['inputs', 'outputs', 'extra', 'error'].map((one) => [one, parts[`post.${id}.${one}`]]),
      )
      kept.runs.push({ ...runSchema.parse(part), inputs, outputs, extra, error } as StoredRun)
    }
    return { status: 202, body: {} }
  }

  function addFeedback(request: Received): Act {
    kept.feedback.push(feedbackSchema.parse(request.json()))
    return ok({})
  }

  const service = await startTestService((request) => {
    if (request.path !== '/info' && request.headers['x-api-key'] !== key) return { status: 401 }
    const found = routes.find(([method, path]) => {
      return method === request.method && path.test(request.path)
    })
    if (!found) throw new Error('no such route')
    return found[2](request)
  })
  return Object.assign(service, kept)
}

type Act = Answer | Promise<Answer>

const info = {
  version: '0.13.0',
  batch_ingest_config: { use_multipart_endpoint: true, size_limit: 100, size_limit_bytes: 20e6 },
  instance_flags: { dataset_examples_multipart_enabled: true, gzip_body_enabled: true },
}

function ok(body: unknown): Answer {
  return { status: 200, body }
}

function byName<T extends { name: string }>(all: T[], name: string | null): T[] {
  return all.filter((one) => one.name === name)
}
