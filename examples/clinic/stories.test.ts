import { describeStories } from '@dataagent/testkit/describe-stories'

describeStories(import.meta.dirname, ['./01-nine-tools.ts', './02-in-dify.ts'])
