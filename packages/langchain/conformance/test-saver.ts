import { randomUUID } from 'node:crypto'
import type { CheckpointStore } from '@dataagent/schema'
import { describeSql } from '@dataagent/store/sql/describe-sql'
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint'
import { createCheckpointSaver } from '../src/checkpoints/index.ts'

interface Initializer {
  checkpointerName: string
  createCheckpointer(): BaseCheckpointSaver
}

interface Suite {
  validate(initializer: Initializer): void
  deltaChannelHistoryTests(initializer: Initializer): void
}

/** Installed when it is run, so unknown to the compiler. It wants vitest's words as globals. */
const suite: string = '@langchain/langgraph-checkpoint-validation'
const { validate, deltaChannelHistoryTests } = (await import(suite)) as Suite

await describeSql('checkpointer', (subject) => {
  const initializer = {
    checkpointerName: 'createCheckpointSaver',
    createCheckpointer: () => toEmptySaver(subject().store.checkpoints),
  }
  validate(initializer)
  deltaChannelHistoryTests(initializer)
})

/** One that has no threads yet. */
function toEmptySaver(store: CheckpointStore) {
  return createCheckpointSaver({ store, tenant_id: randomUUID() })
}
