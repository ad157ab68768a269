import type { Link } from '../../link/index.ts'
import { loadServers } from '../load-servers.ts'
import { askAgreement } from './ask-agreement.ts'
import type { McpShell } from './contract.ts'
import { createLineAsking } from './line-asking.ts'
import { openPage } from './open-page.ts'

export interface ProgramShellOptions
  extends Pick<McpShell, 'lang' | 'theme' | 'signal' | 'place' | 'trust'> {
  link: Link
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
}

/** What `dataagent mcp …` has around it. It asks only where a person is at both ends. */
export function createProgramShell(options: ProgramShellOptions): McpShell {
  const { stdin, stdout, link, place, trust, lang, theme, signal } = options
  const isAttended = stdin.isTTY && stdout.isTTY
  const ask = isAttended ? createLineAsking({ input: stdin, output: stdout, signal }) : undefined
  const write = (line: string) => void stdout.write(`${line}\n`)
  return {
    ...{ link, lang, theme, signal, place, trust, ask, write },
    called: 'dataagent mcp',
    openPage: (url) => openPage(url, place.env),
    reload: () =>
      loadServers({
        ...{ ...place, trust, lang, link },
        ask: ask && ((server) => askAgreement(server, { theme, write, lang, ask })),
      }),
  }
}
