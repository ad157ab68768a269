import { describeStories } from '@dataagent/testkit/describe-stories'

describeStories(import.meta.dirname, ['./01-before-and-after.ts'])
