import { AppError } from '@dataagent/schema'

const callsMax = 512
const jsonMax = 16 * 1024 * 1024

/** Counts what an answer brings of tool calls. Throws `upstream_failed` beyond all measure. */
export function createCallAllowance() {
  let calls = 0
  let length = 0

  return {
    call(): void {
      calls += 1
      if (calls > callsMax) throw tooMuch()
    },
    json(piece: string): void {
      length += piece.length
      if (length > jsonMax) throw tooMuch()
    },
  }
}

function tooMuch(): AppError {
  return new AppError('upstream_failed', 'The model sent more tool calls than can be taken.')
}
