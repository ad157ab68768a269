import { describeStories } from '@dataagent/testkit/describe-stories'

describeStories(import.meta.dirname, ['./01-first-turn.ts', './02-cut-cancel-kill.ts'])
