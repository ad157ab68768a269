import { describeLeaks } from './describe-leaks.ts'

describeLeaks('sse')
