import { describeModes } from './describe-modes.ts'

describeModes('http', 'modern')
