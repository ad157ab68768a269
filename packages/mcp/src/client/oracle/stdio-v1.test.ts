import { describeCallQuestions } from './describe-call-questions.ts'
import { describeClient } from './describe-client.ts'
import { serveProcess } from './test-process.ts'

describeClient('SDK 1 in a process', { era: 'legacy', serve: serveProcess('v1') })
describeCallQuestions('SDK 1 in a process', { era: 'legacy', serve: serveProcess('v1') })
