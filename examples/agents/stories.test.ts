import { describeStories } from '@dataagent/testkit/describe-stories'

describeStories(import.meta.dirname, [
  './01-first-turn.ts',
  './02-a-person-decides.ts',
  './03-stop-and-go-on.ts',
  './04-many-tools.ts',
  './05-your-own-model.ts',
  './06-local-and-mcp-tools.ts',
])
