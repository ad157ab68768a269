import { McpError } from '../../errors.ts'

/** Gives a function that throws when it is called again: a transport has one life. */
export function createStartOnce(): () => void {
  let isStarted = false
  return () => {
    if (isStarted) throw startedAgain()
    isStarted = true
  }
}

function startedAgain(): McpError {
  const message = 'mcp: the transport has been started before: each is started once'
  return new McpError({ kind: 'config', code: 'conflict', message })
}
