import { describeStories } from '@dataagent/testkit/describe-stories'

describeStories(import.meta.dirname, ['./01-a-group-and-its-key.ts', './02-refused-and-waiting.ts'])
