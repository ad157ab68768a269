import { longCount } from '@dataagent/testkit'
import { describeKill } from './describe-kill.ts'

describeKill({ kills: longCount(20, 1_000) })
