import type { UpstreamHealth } from './contract.ts'
import type { UpstreamLogLine } from './options.ts'

type Line = Pick<UpstreamLogLine, 'level' | 'text'>

/**
 * Gives the function that tells an operator of one upstream: one warning when it is lost, however
 * often it is tried in vain, and one line when it is back.
 */
export function createHealthLog(onLine: (line: Line) => void): (health: UpstreamHealth) => void {
  let status: UpstreamHealth['status'] | undefined
  let lost: string | undefined
  let isLeftAlone = false

  return (health) => {
    if (health.status === 'error') logLoss(health.message ?? '')
    else if (health.status !== status && !(lost && health.status === 'stopped')) logChange(health)
    status = health.status
    logBreaker(health)
  }

  function logLoss(why: string): void {
    if (why === lost) return
    onLine({ level: lost === undefined ? 'warn' : 'info', text: `unreachable: ${why}` })
    lost = why
  }

  function logChange(health: UpstreamHealth): void {
    const isRunning = health.status === 'running'
    onLine({ level: 'info', text: isRunning ? 'running' : 'connecting' })
    if (isRunning) lost = undefined
  }

  function logBreaker({ breaker }: UpstreamHealth): void {
    if (breaker === 'open' && !isLeftAlone) {
      onLine({ level: 'warn', text: 'its calls fail: it is left alone for a while' })
    } else if (breaker === 'closed' && isLeftAlone) {
      onLine({ level: 'info', text: 'it is called again' })
    } else return
    isLeftAlone = breaker === 'open'
  }
}
