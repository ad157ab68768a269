import type { PlainResponse } from '../../http/index.ts'
import type { Standing } from '../consent/standing.ts'
import type { OpenTransaction } from '../consent/transaction.ts'
import type { PageFrame } from './layout.ts'
import type { PageError } from './words.ts'

/** What the page of consent shows. */
export interface ConsentPage {
  frame: PageFrame
  open: OpenTransaction
  standing: Standing
  submitPath: string
  signInPath: string
  /** Whether the address asked for is that of one group. */
  isForOneGroup: boolean
  status?: number | undefined
  error?: PageError | undefined
  refreshPath?: string | undefined
  headers?: PlainResponse['headers'] | undefined
}
