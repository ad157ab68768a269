import { toPlain, toPlainLine } from '../../ui/index.ts'
import type { Text } from '../../words/index.ts'
import type { UntrustedServer } from '../contract.ts'
import type { Asking, McpShell } from './contract.ts'
import { words } from './words.ts'

/** How what is shown is written, and how the person is asked. */
export interface AgreementOptions extends Pick<McpShell, 'theme' | 'write' | 'lang'> {
  ask: Pick<Asking, 'confirm'>
  /** Default: whether it may be started. */
  question?: Text
}

/** What is agreed to, and the file that says it. */
type Shown = Pick<UntrustedServer, 'name' | 'shown'> & {
  source: Pick<UntrustedServer['source'], 'path'>
}

const beginningMax = 72

/** Shows what a project's server would do, and asks whether it may. */
export function askAgreement(server: Shown, options: AgreementOptions): Promise<boolean> {
  const { theme, write, lang, ask, question = words.agreeQuestion } = options
  write(theme.warn(toPlainLine(words.agreeTo(server.name, server.source.path)[lang])))
  const lines = toPlain(server.shown).split('\n')
  for (const line of lines) write(`  ${line}`)
  // Once more beside the question: a long one may have moved its beginning out of sight.
  const [first = ''] = lines
  return ask.confirm(`${toPlainLine(first, beginningMax)}\n${question[lang]}`)
}
