import type { HttpContext } from './call-context.ts'
import type { AnswerReader, RunningRequest } from './lane.ts'

/** So long a server may take to say that it has forgotten the session. */
const patienceMs = 2_000

/** Tells the server that the session is over; never fails, and never takes long. */
export function endSession({ session, clock }: HttpContext): Promise<void> {
  return new Promise((resolve) => {
    let running: RunningRequest | undefined
    const isOver = () => {
      cancelTimer()
      running?.stop()
      resolve()
    }
    const reader: AnswerReader = {
      begin() {},
      data() {},
      end: isOver,
      refuse: isOver,
      fail: isOver,
    }
    const cancelTimer = clock.after(patienceMs, isOver)
    running = session.get.ask({ method: 'DELETE', isFarewell: true }, reader)
  })
}
