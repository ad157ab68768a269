import { describeKill } from '@dataagent/core/scenarios/describe-kill'
import { longCount } from '@dataagent/testkit'
import { describe } from 'vitest'

/** Each point at least once. */
const kills = longCount(10, 200)
const makers = ['./test-own-maker.ts', './test-platform-maker.ts'].slice(0, longCount(1, 2))

describe.each(makers)("LangChain's agent, made by %s", (maker) => {
  describeKill({ kills, maker: new URL(maker, import.meta.url) })
})
