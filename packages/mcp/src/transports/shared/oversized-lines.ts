import type { Clock } from '@dataagent/guard'
import { type McpError, tooLargeError } from '../../errors.ts'
import { ownerFromHead, ownerFromTail } from '../../rpc/line-owner.ts'
import type { RequestId } from '../../rpc/messages.ts'

/** The calls that may be meant. */
interface Suspects {
  /** Whether there was such a call. */
  fail(id: RequestId, error: McpError): boolean
  /** The ids of those that have been sent. */
  sentIds(): RequestId[]
}

/** Finds out which call a line that is too large answers, and fails it. */
export interface OversizedLines {
  begin(head: Buffer): void
  end(tail: Buffer): void
  /** Leaves no timer. */
  close(): void
}

/** How long the end of a line is waited for that does not tell at its beginning whose it is. */
const endMs = 1000

/**
 * The id is looked for where the line begins. Many servers write it at the end: then the line is
 * somebody's among the calls under way. A single one fails at once. Of several, the one that the
 * line's end names; when it names none, or does not come within a second, all of them: better that
 * some ask again than that one waits for an answer that was thrown away.
 */
export function createOversizedLines(needs: {
  calls: Suspects
  maxBytes: number
  warn(text: string): void
  clock: Clock
}): OversizedLines {
  const { calls, maxBytes, warn, clock } = needs
  let suspects: RequestId[] = []
  let stopTimer = () => {}

  function fail(ids: RequestId[]): void {
    stopTimer()
    suspects = []
    const failed = ids.filter((id) => calls.fail(id, tooLargeError(maxBytes)))
    if (failed.length === 0) warn(`the server sent a line of more than ${maxBytes} bytes; skipped`)
  }

  return {
    begin(head) {
      const owner = ownerFromHead(head)
      const sent = calls.sentIds()
      if (owner.kind === 'message') fail([])
      else if (owner.kind === 'answer') fail([owner.id])
      else if (sent.length <= 1) fail(sent)
      else {
        suspects = sent
        stopTimer = clock.after(endMs, () => fail(suspects))
      }
    },
    end(tail) {
      if (suspects.length === 0) return
      const owner = ownerFromTail(tail)
      fail(owner.kind === 'answer' ? [owner.id] : suspects)
    },
    close: () => stopTimer(),
  }
}
