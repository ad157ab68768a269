import { describeStories } from '@dataagent/testkit/describe-stories'

describeStories(import.meta.dirname, [
  './01-stdio.ts',
  './02-http.ts',
  './03-many-servers.ts',
  './04-kill-and-return.ts',
  './05-in-process.ts',
  './06-questions.ts',
  './07-with-a-model.ts',
  './08-oauth.ts',
])
