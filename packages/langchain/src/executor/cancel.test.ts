import { describeCancel } from '@dataagent/core/scenarios/describe-cancel'
import { sqlKinds } from '@dataagent/store/sql/describe-sql'
import { longCount } from '@dataagent/testkit'
import { describe } from 'vitest'
import { withOwnTools, withPlatformTools } from './test-makers.ts'

describe("LangChain's agent, the platform's tools", async () => {
  await describeCancel(withPlatformTools, sqlKinds.slice(0, longCount(1, 3)))
})

describe("LangChain's agent and its own tools", async () => {
  await describeCancel(withOwnTools)
})
