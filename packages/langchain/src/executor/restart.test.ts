import { describeRestart } from '@dataagent/core/scenarios/describe-restart'
import { longCount } from '@dataagent/testkit'
import { describe } from 'vitest'

const makers = ['./test-own-maker.ts', './test-platform-maker.ts'].slice(0, longCount(1, 2))

describe.each(makers)("LangChain's agent, made by %s", (maker) => {
  describeRestart(new URL(maker, import.meta.url))
})
