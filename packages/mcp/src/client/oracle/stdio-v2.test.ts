import { describeCallQuestions } from './describe-call-questions.ts'
import { describeClient } from './describe-client.ts'
import { serveProcess } from './test-process.ts'

// On a busy machine the process may take longer to start than a server that is not known gets.
const remembered = { era: 'modern', version: '2026-07-28', decided_at: 0 } as const

describeClient('SDK 2 in a process', { era: 'modern', remembered, serve: serveProcess('v2') })
describeCallQuestions('SDK 2 in a process', {
  era: 'modern',
  remembered,
  serve: serveProcess('v2'),
})
