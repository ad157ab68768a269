import type { Lang, Text } from '../words/index.ts'
import { commands, globalFlags, mainExamples } from './commands.ts'
import type { CommandSpec, Example, Flag } from './contract.ts'
import { helpWords } from './words.ts'

/** The help of the program, of a command, or of one of its actions; undefined where none is so. */
export function formatHelp(topic: readonly string[], lang: Lang): string | undefined {
  const [name, actionName] = topic
  if (name === undefined) return mainHelp(lang)
  const command = commands.find((one) => one.name === name)
  if (command === undefined || actionName === undefined) return command && helpOf(command, [], lang)
  const action = command.actions?.find((one) => one.name === actionName)
  return action && helpOf(action, [command.name], lang)
}

function mainHelp(lang: Lang): string {
  return join([
    helpWords.about[lang],
    `${helpWords.usage[lang]}: dataagent [${helpWords.flags[lang]}] [COMMAND]`,
    list(helpWords.commands, commands.map(entryOf(lang)), lang),
    list(helpWords.flags, globalFlags.map(flagEntry(lang)), lang),
    list(helpWords.examples, mainExamples.map(exampleEntry(lang)), lang),
    helpWords.more[lang],
  ])
}

function helpOf(command: CommandSpec, path: readonly string[], lang: Lang): string {
  const called = ['dataagent', ...path, command.name, command.usage].filter(Boolean).join(' ')
  const { actions = [], notes = [], flags, examples } = command
  return join([
    `${command.about[lang]}${lang === 'zh' ? '。' : '.'}`,
    `${helpWords.usage[lang]}: ${called}`,
    list(helpWords.actions, actions.map(entryOf(lang)), lang),
    ...actions.map(({ name, flags: own }) =>
      list({ en: `${name}:`, zh: `${name}：` }, own.map(flagEntry(lang)), lang),
    ),
    list(helpWords.flags, flags.map(flagEntry(lang)), lang),
    ...notes.map((note) => note[lang]),
    list(helpWords.examples, examples.map(exampleEntry(lang)), lang),
    command.reads === 'all'
      ? ''
      : list(helpWords.everywhere, globalFlags.map(flagEntry(lang)), lang),
  ])
}

type Entry = readonly [name: string, about: string]

const entryOf =
  (lang: Lang) =>
  ({ name, usage, about }: CommandSpec): Entry => [`${name} ${usage}`.trim(), about[lang]]

const flagEntry =
  (lang: Lang) =>
  ({ name, short, alias, value, about }: Flag): Entry => {
    const names = [short && `-${short}`, `--${name}`, alias && `--${alias}`].filter(Boolean)
    const taken = value && (value.isOptional ? ` [${value.name}]` : ` ${value.name}`)
    return [`${names.join(', ')}${taken ?? ''}`, about[lang]]
  }

const exampleEntry =
  (lang: Lang) =>
  ({ line, about }: Example): Entry => [line, about[lang]]

/** Names in one column where they are short; a long one has what it means below it. */
function list(heading: Text, entries: readonly Entry[], lang: Lang): string {
  if (entries.length === 0) return ''
  const width = Math.min(26, Math.max(...entries.map(([name]) => name.length)))
  const lines = entries.map(([name, about]) =>
    name.length > width
      ? `  ${name}\n${' '.repeat(width + 4)}${about}`
      : `  ${name.padEnd(width)}  ${about}`,
  )
  return [heading[lang], ...lines].join('\n')
}

const join = (parts: readonly string[]) => `${parts.filter(Boolean).join('\n\n')}\n`
