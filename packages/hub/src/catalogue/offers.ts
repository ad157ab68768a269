import { createToolFilter } from '@dataagent/mcp'
import type { RegisteredServer } from '../servers/index.ts'
import type { CatalogueTool, Offer } from './contract.ts'

/** How a server is reached, as far as the catalogue was told. */
export type Link =
  | { status: 'connected' }
  | { status: 'unreachable'; message: string }
  | { status: 'disabled' }

/** Before this run's handshake. */
export const notConnectedYet: Link = {
  status: 'unreachable',
  message: 'its server has not been connected since the start; try again in a moment',
}

/** While a list is read that is too long to be read at once. */
export const beingRead: Link = {
  status: 'unreachable',
  message: 'the list of its tools has changed and is being read; try again in a moment',
}

/** Says of one tool after another, in the server's order, whether it can be called now. */
export function createOfferer(
  link: Link,
  server: RegisteredServer | undefined,
): (tool: CatalogueTool) => Offer {
  let kept = 0
  const { allowedTools = [], blockedTools = [], maxTools = 0 } = server?.config ?? {}
  const isUsed = createToolFilter({ allowedTools, blockedTools })

  return (tool) => {
    if (link.status === 'disabled' || server?.config.disabled) {
      return { status: 'withheld', why: 'server_disabled' }
    }
    if (!isUsed(tool.name)) {
      return { status: 'withheld', why: 'filtered' }
    }
    if (tool.state === 'gone') return { status: 'withheld', why: 'gone' }
    // A tool that waits keeps its place: its approval moves no other one out.
    kept += 1
    if (maxTools > 0 && kept > maxTools) return { status: 'withheld', why: 'filtered' }
    if (tool.state !== 'active') return { status: 'withheld', why: tool.state }
    if (link.status === 'connected') return { status: 'offered' }
    return { status: 'unavailable', message: link.message }
  }
}

export function isSameOffer(left: Offer, right: Offer): boolean {
  if (left.status !== right.status) return false
  if (left.status === 'withheld') return right.status === 'withheld' && left.why === right.why
  return left.status !== 'unavailable' || left.message === (right as typeof left).message
}
