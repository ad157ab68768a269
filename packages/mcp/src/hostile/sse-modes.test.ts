import { describeModes } from './describe-modes.ts'

describeModes('sse')
