import { type Clock, type ProcessHandle, type ProcessOptions, startProcess } from '@dataagent/guard'
import { isAppError } from '@dataagent/schema/base'
import { cancelledError, closedHereError, McpError, timeoutError } from '../../errors.ts'
import { onceAborted } from '../shared/once-aborted.ts'

export interface StartNeeds {
  process: ProcessOptions
  timeoutMs: number
  /** Of the one who starts: ends the start, not what was started. */
  signal: AbortSignal | undefined
  /** The transport is closed meanwhile. */
  closing: AbortSignal
  clock: Clock
}

/** Starts the process of a server. Rejects with an McpError and leaves no process then. */
export async function startServer(needs: StartNeeds): Promise<ProcessHandle> {
  const { signal, closing, clock, timeoutMs } = needs
  const ending = new AbortController()
  const cancel = () => ending.abort(cancelledError(signal, false))
  const cleanUps = [
    onceAborted(closing, () => ending.abort(closedHereError('the transport was closed'))),
    clock.after(timeoutMs, () => ending.abort(timeoutError('the start', timeoutMs, false))),
    signal ? onceAborted(signal, cancel) : () => {},
  ]
  if (signal?.aborted) cancel()
  try {
    return await startUnlessEnded(needs.process, ending.signal)
  } finally {
    for (const cleanUp of cleanUps) cleanUp()
  }
}

async function startUnlessEnded(
  options: ProcessOptions,
  ending: AbortSignal,
): Promise<ProcessHandle> {
  const starting = startProcess({ ...options, signal: ending })
  const child = await starting.catch((cause: unknown) => {
    throw ending.aborted ? ending.reason : toStartError(cause)
  })
  if (!ending.aborted) return child
  await child.stop()
  throw ending.reason
}

function toStartError(cause: unknown): McpError {
  const isExpected = isAppError(cause)
  return new McpError({
    kind: 'start',
    code: isExpected ? cause.code : 'process_failed',
    message: `mcp: the server could not be started: ${String(isExpected ? cause.message : cause)}`,
    ...(isExpected && cause.data && { data: cause.data }),
    cause,
  })
}
