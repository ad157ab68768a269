import { describeEverything } from './describe-everything.ts'

describeEverything('http')
