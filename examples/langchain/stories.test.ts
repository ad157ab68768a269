import { describeStories } from '@dataagent/testkit/describe-stories'

describeStories(import.meta.dirname, [
  './01-tools-and-middleware.ts',
  './02-your-own-graph.ts',
  './03-deep-agent.ts',
  './04-our-tools-in-your-graph.ts',
  './05-checkpointer-alone.ts',
])
