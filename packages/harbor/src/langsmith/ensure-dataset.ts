import { randomUUID } from 'node:crypto'
import type { Client } from 'langsmith/client'
import type { QuestionSet } from '../contract.ts'
import { type Example, Fault, isSame, toExample } from '../sinks/index.ts'

export interface Dataset {
  id: string
  /** Ids of examples by those of their questions. */
  examples: Map<string, string>
}

/** Examples that are sent in one request. */
const atOnce = 50

const unable = [
  'LangSmith: this server cannot be given examples (dataset_examples_multipart_enabled is not on in',
  'its /info). Update it, or name another one by LANGSMITH_ENDPOINT; to do without LangSmith, set',
  'LANGSMITH_TRACING_V2 and LANGSMITH_TRACING to false.',
].join(' ')

/**
 * The dataset with the name of the set: made or found, its examples made or brought up to date. An
 * example is known by `question_id` in its metadata; those of no question are left alone.
 */
export async function ensureDataset(
  client: Client,
  set: QuestionSet,
  { takesExamples }: { takesExamples: boolean },
): Promise<Dataset> {
  const { id } = await createOrRead(client, set.name)
  const kept = await readExamples(client, id)
  const wanted = set.questions.map((question) => {
    const found = kept.get(question.question_id)
    const example = toExample(question)
    return { id: found?.id ?? randomUUID(), dataset_id: id, found, example }
  })
  const created = wanted.filter(({ found }) => found === undefined).map(toUpload)
  const changed = wanted.filter((one) => one.found && !isSame(one.example, one.found)).map(toUpload)
  // It cannot do that, however often it is asked.
  if (!takesExamples && created.length + changed.length > 0)
    throw new Fault(unable, { status: 501 })
  // `createExamples` would read each of them again by a request of its own.
  for (const some of inChunks(created)) await client.uploadExamplesMultipart(id, some)
  for (const some of inChunks(changed)) await client.updateExamples(some)
  return { id, examples: new Map(wanted.map((one) => [one.example.metadata.question_id, one.id])) }
}

async function createOrRead(client: Client, name: string): Promise<{ id: string }> {
  for await (const dataset of client.listDatasets({ datasetName: name, limit: 1 })) return dataset
  try {
    return await client.createDataset(name, { dataType: 'kv' })
  } catch (error) {
    // Somebody else was a moment quicker.
    if (!(error instanceof Fault) || error.status !== 409) throw error
    return client.readDataset({ datasetName: name })
  }
}

interface KeptExample {
  id: string
  inputs: unknown
  outputs: unknown
  metadata: unknown
}

async function readExamples(client: Client, datasetId: string): Promise<Map<string, KeptExample>> {
  const kept = new Map<string, KeptExample>()
  for await (const { id, inputs, outputs, metadata } of client.listExamples({ datasetId })) {
    const questionId = metadata?.question_id
    if (typeof questionId === 'string') kept.set(questionId, { id, inputs, outputs, metadata })
  }
  return kept
}

function toUpload(one: { id: string; dataset_id: string; example: Example }) {
  const { inputs, outputs, metadata } = one.example
  return { id: one.id, dataset_id: one.dataset_id, inputs, outputs, metadata }
}

function inChunks<T>(items: T[]): T[][] {
  const chunks: T[][] = []
  for (let at = 0; at < items.length; at += atOnce) chunks.push(items.slice(at, at + atOnce))
  return chunks
}
