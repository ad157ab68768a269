import { isPlainObject } from '@dataagent/schema'
import { type Calls, Fault } from '../sinks/index.ts'

/** What is used of Langfuse's public API, with the answers that are read. */
export interface LangfuseApi {
  /** Made, or found by its name. */
  ensureDataset(name: string): Promise<{ id: string }>
  listItems(datasetName: string): AsyncIterable<Item>
  /** Made, or changed where there is one with its id. */
  putItem(item: NewItem): Promise<void>
  /** Ties a trace to an item. */
  addRunItem(item: NewRunItem): Promise<{ datasetRunId: string }>
  addScore(score: NewScore): Promise<void>
  exportSpans(resourceSpans: unknown): Promise<void>
}

export interface NewItem {
  datasetName: string
  id: string
  input: unknown
  expectedOutput: unknown
  metadata: unknown
}

export interface NewRunItem {
  runName: string
  datasetItemId: string
  traceId: string
  observationId: string
  metadata: unknown
}

export type NewScore = {
  id: string
  name: string
  comment?: string
} & ({ traceId: string } | { datasetRunId: string }) &
  ({ dataType: 'BOOLEAN' | 'NUMERIC'; value: number } | { dataType: 'CATEGORICAL'; value: string })

/** A question as it is kept. */
interface Item {
  id: string
  status: unknown
  input: unknown
  expectedOutput: unknown
  metadata: unknown
}

const perPage = 100

export function createApi(calls: Calls, host: string, authorization: string): LangfuseApi {
  async function post(path: string, body: unknown): Promise<unknown> {
    const headers = { authorization, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await calls.send(new URL(`${host}/api/public${path}`), init)).json()
  }

  return {
    ensureDataset: async (name) => ({ id: readText(await post('/v2/datasets', { name }), 'id') }),
    async *listItems(datasetName) {
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const url = new URL(`${host}/api/public/dataset-items`)
        url.search = String(
          new URLSearchParams({ datasetName, page: `${page}`, limit: `${perPage}` }),
        )
        const answer = await calls.send(url, { headers: { authorization } })
        const found = readItems(await answer.json())
        pages = found.pages
        yield* found.items
      }
    },
    putItem: async (item) => void (await post('/dataset-items', item)),
    async addRunItem(item) {
      const made = await post('/dataset-run-items', item)
      return { datasetRunId: readText(made, 'datasetRunId') }
    },
    addScore: async (score) => void (await post('/scores', score)),
    exportSpans: async (resourceSpans) => void (await post('/otel/v1/traces', { resourceSpans })),
  }
}

function readItems(answer: unknown): { items: Item[]; pages: number } {
  if (!isPlainObject(answer) || !Array.isArray(answer.data)) throw misread('data')
  const items = answer.data.map((one: unknown): Item => {
    const { status, input, expectedOutput, metadata } = one as Item
    return { id: readText(one, 'id'), status, input, expectedOutput, metadata }
  })
  const pages = isPlainObject(answer.meta) ? answer.meta.totalPages : undefined
  return { items, pages: typeof pages === 'number' ? pages : 1 }
}

function readText(value: unknown, field: string): string {
  const found = isPlainObject(value) ? value[field] : undefined
  if (typeof found !== 'string') throw misread(field)
  return found
}

function misread(field: string): Fault {
  return new Fault(`Langfuse: an answer had no ${field}. Is its address right?`, { status: 0 })
}
