import { randomBytes } from 'node:crypto'
import type { Clock } from '@dataagent/guard'

const countMost = 0xfff

/**
 * Ids (UUID, version 7) that grow with each one made here: what happened within a millisecond is in
 * order too.
 */
export function createChangeIds(clock: Pick<Clock, 'now'>): () => string {
  let last = 0
  let count = 0
  return () => {
    const now = Math.max(clock.now(), last)
    count = now === last ? count + 1 : 0
    last = now
    if (count > countMost) {
      last += 1
      count = 0
    }
    const time = last.toString(16).padStart(12, '0')
    const random = randomBytes(8)
    random[0] = (random[0]! & 0x3f) | 0x80
    const end = random.toString('hex')
    const middle = `7${count.toString(16).padStart(3, '0')}`
    return [time.slice(0, 8), time.slice(8), middle, end.slice(0, 4), end.slice(4)].join('-')
  }
}
