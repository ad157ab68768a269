import type { TemplateList } from '@dataagent/schema'
import { type Draft, newPair } from './draft.ts'
import { toLinesText } from './lists.ts'

export type Template = TemplateList['templates'][number]

const place = /\{([A-Za-z]\w*)\}/g

/** The names of what the user fills in, in the order of the arguments. */
export function placesOf({ args }: Template): string[] {
  const found = args.flatMap((arg) => [...arg.matchAll(place)].map(([, name = '']) => name))
  return [...new Set(found)]
}

/** The draft with the command of the template, its places filled. Values that are set stay. */
export function fillTemplate(
  draft: Draft,
  template: Template,
  values: Readonly<Record<string, string>>,
): Draft {
  const { name, command, args, env = [], cwd } = template
  const filled = args.map((arg) =>
    arg.replace(place, (_, key: string) => values[key] ?? `{${key}}`),
  )
  const known = new Map(draft.env.map((pair) => [pair.name, pair]))
  return {
    ...{ ...draft, transport: 'stdio', command, args: toLinesText(filled) },
    name: draft.name === '' ? name : draft.name,
    env: env.map((variable) => known.get(variable) ?? newPair(variable)),
    rest: cwd === undefined ? draft.rest : { ...draft.rest, cwd },
  }
}
