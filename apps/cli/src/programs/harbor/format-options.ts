import type { formatReport } from '@dataagent/harbor'
import { createTheme } from '../../ui/index.ts'
import type { ProgramContext } from '../contract.ts'

/** For standard output as it is. */
export function formatOptionsOf(context: ProgramContext): Parameters<typeof formatReport>[1] {
  const { stdout, lang, options, env } = context
  const theme = createTheme({ name: options.theme, env, isTty: stdout.isTTY })
  return { lang, width: stdout.columns || 100, colour: theme.hasColor }
}
