import { describeDataStore } from '@dataagent/testkit/data-store'
import { describe } from 'vitest'
import { createMemoryStore } from './memory-store.ts'

describe('the data store in memory', () => {
  const store = createMemoryStore()
  describeDataStore(() => store)
})
