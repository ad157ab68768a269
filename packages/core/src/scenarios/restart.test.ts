import { describeRestart } from './describe-restart.ts'

describeRestart()
