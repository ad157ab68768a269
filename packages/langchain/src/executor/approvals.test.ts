import { describeApprovals } from '@dataagent/core/scenarios/describe-approvals'
import { sqlKinds } from '@dataagent/store/sql/describe-sql'
import { longCount } from '@dataagent/testkit'
import { describe } from 'vitest'
import { withOwnTools, withPlatformTools } from './test-makers.ts'

// The same cases as those of our own engine: mixed decisions among them, of which LangChain's own
// human-in-the-loop drops one.

describe("LangChain's agent, the platform's tools", async () => {
  await describeApprovals(withPlatformTools, sqlKinds.slice(0, longCount(1, 3)))
})

describe("LangChain's agent and its own tools [D8.4]", async () => {
  await describeApprovals(withOwnTools)
})
