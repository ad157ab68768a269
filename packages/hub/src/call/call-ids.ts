import type { Clock } from '@dataagent/guard'
import { createIdSource, toTimeDigits } from '../tracing/index.ts'

const variants = '89ab'

/**
 * Makes UUIDs of version 7 (RFC 9562, section 5.7): they begin with the time, so that the log of
 * calls grows at one end of its index and not all over it.
 */
export function createCallIds(clock: Clock): () => string {
  const nextId = createIdSource()
  return () => {
    const time = toTimeDigits(clock.now())
    const random = nextId(32)
    const variant = variants[random.charCodeAt(3) & 3]
    const head = `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}`
    return `${head}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
  }
}
