import type { Question } from '@dataagent/schema'
import type { QuestionSet } from '../contract.ts'
import {
  type Asked,
  createSink,
  inParts,
  isSame,
  type Service,
  type Sink,
  type SinkOptions,
  toExample,
  toScores,
} from '../sinks/index.ts'
import { createApi, type LangfuseApi, type NewItem } from './api.ts'
import { toHex, toRootSpanId, toSpans } from './to-spans.ts'

/**
 * Langfuse, where `LANGFUSE_PUBLIC_KEY` and `LANGFUSE_SECRET_KEY` are set and
 * `LANGFUSE_TRACING_ENABLED` is not `false`: the questions as a dataset, a trace for each asking
 * which is an item of the dataset's run, and scores on each.
 */
export function createLangfuse(options: SinkOptions): Sink | undefined {
  const { env } = options
  const publicKey = env.LANGFUSE_PUBLIC_KEY?.trim() ?? ''
  const secretKey = env.LANGFUSE_SECRET_KEY?.trim() ?? ''
  const isOff = env.LANGFUSE_TRACING_ENABLED?.toLowerCase() === 'false'
  if (publicKey === '' || secretKey === '' || isOff) return undefined
  const given = env.LANGFUSE_BASE_URL ?? env.LANGFUSE_HOST ?? 'https://cloud.langfuse.com'
  const authorization = `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`
  return createSink('Langfuse', options, (calls) =>
    toService(createApi(calls, given.replace(/\/+$/, ''), authorization)),
  )
}

/** Requests that are under way at once. */
const atOnce = 8

interface Begun {
  run_id: string
  runName: string
  datasetId: string
  items: Map<string, string>
}

function toService(api: LangfuseApi): Service {
  let begun: Begun | undefined
  let datasetRunId: string | undefined

  async function addSpans(told: { asked: Asked; traceId: string }[]): Promise<void> {
    const { run_id, runName, datasetId, items } = begun!
    const spans = told.flatMap(({ asked, traceId }) => {
      const itemId = items.get(asked.question.question_id)
      const experiment = itemId !== undefined &&
        datasetRunId !== undefined && { id: datasetRunId, name: runName, datasetId, itemId }
      return toSpans(asked, { run_id, traceId, experiment: experiment || undefined })
    })
    const service = { key: 'service.name', value: { stringValue: 'dataagent-harbor' } }
    const scopeSpans = [{ scope: { name: 'dataagent-harbor' }, spans }]
    await api.exportSpans([{ resource: { attributes: [service] }, scopeSpans }])
  }

  async function addRunItem(traceId: string, { question }: Asked): Promise<void> {
    const { run_id, runName, items } = begun!
    const datasetItemId = items.get(question.question_id)
    if (datasetItemId === undefined) return
    const observationId = toRootSpanId(traceId)
    const item = { runName, datasetItemId, traceId, observationId, metadata: { run_id } }
    datasetRunId = (await api.addRunItem(item)).datasetRunId
  }

  return {
    async begin(set, { run_id }) {
      const { id } = await api.ensureDataset(set.name)
      const items = await ensureItems(api, set)
      begun = { run_id, runName: `${set.name} ${run_id}`, datasetId: id, items }
    },
    async send(batch) {
      const { run_id } = begun!
      const told = batch.map((asked) => {
        return { asked, traceId: toHex(16, run_id, asked.trial.trial_id) }
      })
      // First of all: spans name the run, which is made by its first item.
      await inParts(told, atOnce, ({ asked, traceId }) => addRunItem(traceId, asked))
      await addSpans(told)
      const scores = told.flatMap(({ asked, traceId }) =>
        toScores(asked.trial).map((score) => ({ ...score, traceId })),
      )
      await inParts(scores, atOnce, ({ key, value, comment, traceId }) =>
        api.addScore({
          ...{ id: `${traceId}-${key}`, traceId, name: key, ...(comment !== null && { comment }) },
          ...(typeof value === 'number'
            ? { dataType: 'BOOLEAN', value }
            : { dataType: 'CATEGORICAL', value }),
        }),
      )
    },
    async end({ pass_rate, run_id }) {
      if (datasetRunId === undefined) return
      const id = toHex(16, run_id, 'pass_rate')
      const value = pass_rate.value
      await api.addScore({ id, datasetRunId, name: 'pass_rate', dataType: 'NUMERIC', value })
    },
    place: () => begun?.runName ?? null,
  }
}

/** Makes or changes the items of a set, and gives their ids by those of their questions. */
async function ensureItems(api: LangfuseApi, set: QuestionSet): Promise<Map<string, string>> {
  const wanted = set.questions.map((question) => toItem(set.name, question))
  const byId = new Map(wanted.map((one) => [one.item.id, one]))
  for await (const { id, status, input, expectedOutput, metadata } of api.listItems(set.name)) {
    const example = byId.get(id)?.example
    const isKept = example && isSame(example, { inputs: input, outputs: expectedOutput, metadata })
    if (isKept && status === 'ACTIVE') byId.delete(id)
  }
  await inParts([...byId.values()], atOnce, ({ item }) => api.putItem(item))
  return new Map(wanted.map(({ item, example }) => [example.metadata.question_id, item.id]))
}

/** Its id is of the whole project, not of the dataset only. */
function toItem(datasetName: string, question: Question) {
  const example = toExample(question)
  const { inputs: input, outputs: expectedOutput, metadata } = example
  const id = toHex(16, datasetName, question.question_id)
  const item: NewItem = { datasetName, id, input, expectedOutput, metadata }
  return { item, example }
}
