import { describeClient } from './describe-client.ts'
import { serveProcess } from './test-process.ts'

describeClient('SDK 1 in a process', { era: 'legacy', serve: serveProcess('v1') })
