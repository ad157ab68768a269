import { describeStories } from '@dataagent/testkit/describe-stories'

describeStories(import.meta.dirname, ['./01-ask-a-folder.ts', './02-ask-an-agent.ts'])
