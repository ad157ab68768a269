import type { App } from '../../app/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import { type Command, commandGroups } from '../contract.ts'
import { findIn } from '../find.ts'
import { toRows } from '../view/rows.ts'
import { ambiguousCommand, groupNames, unknownCommand } from '../words.ts'
import { aliasesAre, helpEnd, waitsForTurn } from './words.ts'

/** Its page has all of it. */
const usageMax = 22

/** All commands by group, or one page on one. */
export async function runHelp(args: string, app: App, commands: readonly Command[]): Promise<void> {
  if (args === '') return app.say(toList(commands, app))
  const found = findIn(commands, args)
  if (found.kind === 'command') return app.say(toPage(found.command, app))
  const { name } = found
  const told =
    found.kind === 'ambiguous'
      ? ambiguousCommand(name, found.names)
      : unknownCommand(name, found.nearest)
  app.tell('warn', told[app.lang])
}

function toList(commands: readonly Command[], app: App): string {
  const { theme, lang } = app
  const all = toRows(
    commands.map((command) => toRow(command, app)),
    {
      width: app.screen.columns,
    },
  )
  const lines: string[] = []
  for (const group of commandGroups) {
    const own = commands.flatMap((command, at) =>
      (command.group ?? 'program') === group ? [all[at] ?? ''] : [],
    )
    if (own.length > 0) lines.push(theme.heading(groupNames[group][lang]), ...own, '')
  }
  return [...lines, theme.dim(helpEnd[lang])].join('\n')
}

function toRow(command: Command, { theme, lang }: App): string[] {
  const usage = command.usage === '' ? '' : ` ${theme.dim(toPlainLine(command.usage, usageMax))}`
  return [`${theme.accent(`/${command.name}`)}${usage}`, command.about[lang]]
}

function toPage(command: Command, { theme, lang }: App): string {
  const { name, usage, about, details, aliases = [], whileRunning } = command
  return [
    `${theme.accent(`/${name}`)} ${theme.dim(usage)}`.trimEnd(),
    about[lang],
    ...(details ? [details[lang]] : []),
    ...(aliases.length > 0 ? [theme.dim(aliasesAre(aliases)[lang])] : []),
    ...(whileRunning ? [] : [theme.dim(waitsForTurn[lang])]),
  ].join('\n')
}
