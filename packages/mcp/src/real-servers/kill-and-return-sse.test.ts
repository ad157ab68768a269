import { describeKillAndReturn } from './describe-kill-and-return.ts'

describeKillAndReturn('sse')
