import { createHmac } from 'node:crypto'
import { AppError } from '@dataagent/schema'

const shortest = 32

/** A key for one use: who has it has none of the others. */
export function deriveKey(key: Uint8Array, use: 'credentials' | 'anchors'): Uint8Array {
  if (key.length < shortest) {
    throw new AppError('config_invalid', `The key of the hub has at least ${shortest} bytes.`)
  }
  return createHmac('sha256', key).update(`dataagent hub ${use}`).digest()
}
