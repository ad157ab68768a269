import { type Filled, isCommand, textMax } from './fill-arguments.ts'
import { isNameOf } from './find-named.ts'
import { readNamed } from './named-values.ts'
import type { Field } from './schema-fields.ts'
import { toCommand } from './to-command.ts'

interface Named {
  name: string
}

const quotedPair = /["“]?\b(?:command|cmd|command_?line)["”]?\s{0,2}[=＝:：]\s{0,2}["“]/iu

/** Fills a tool that runs a command line: with that to the letter, or with none. */
export function fillCommand(text: string, fields: readonly Field[], tool: Named): Filled {
  const said = text.slice(0, textMax)
  const args = quotedPair.test(said) ? readNamed(said, fields).args : {}
  const field = fields.find(isCommand)
  const isTool = (name: string) => isNameOf(name, tool)
  const command = toCommand(said, isTool) || onlyMarked(said, isTool)
  if (field && !Object.hasOwn(args, field.name) && command) args[field.name] = command
  const missing = fields.filter(({ name, isRequired }) => isRequired && !Object.hasOwn(args, name))
  return { args, missing }
}

/** The one text between backticks that is not the tool's name. */
function onlyMarked(text: string, isTool: (name: string) => boolean): string | undefined {
  const marked = [...text.matchAll(/`([^`\n]{1,4000})`/g)].map(([, inner = '']) => inner.trim())
  const [only, ...others] = marked.filter((inner) => !isTool(inner))
  return others.length === 0 ? only : undefined
}
