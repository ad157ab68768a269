const systemFolders = 'usr|bin|sbin|lib|lib64|etc|dev|proc'
const ownPath = new RegExp(`(?:^|=)(?:/(?!/|(?:${systemFolders})(?:/|$))|~/|[A-Za-z]:\\\\)`)

interface Command {
  command: string
  args?: readonly string[] | undefined
}

/**
 * Whether a command names files of the machine that are none of its system's: a server of one
 * person is started where it cannot see those.
 */
export function namesFiles({ command, args = [] }: Command): boolean {
  return [command, ...args].some((word) => ownPath.test(word))
}
