import { describeStories } from '@dataagent/testkit/describe-stories'

describeStories(import.meta.dirname, [
  './01-one-agent-one-tool.ts',
  './02-a-person-decides.ts',
  './03-a-tool-that-changes.ts',
  './04-tools-of-your-own.ts',
])
