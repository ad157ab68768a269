import { describe } from 'vitest'
import { describeCalls } from './describe-calls.ts'
import { describeCancels } from './describe-cancels.ts'
import { describeClose } from './describe-close.ts'
import { describeEnd } from './describe-end.ts'
import { describeLargeAnswers } from './describe-large-answers.ts'
import { describeStart } from './describe-start.ts'
import { describeStderr } from './describe-stderr.ts'

describe('a server on stdin and stdout [C3.3]', () => {
  describeCalls()
  describeEnd()
  describeStart()
  describeStderr()
  describeLargeAnswers()
  describeCancels()
  describeClose()
})
