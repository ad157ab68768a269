import type { DemoCall, DemoReply } from './reply.ts'
import { readFields } from './schema-fields.ts'
import type { Asked } from './use-tool.ts'

/** Answers a message that is meant for one of the agent's own tools; undefined for any other. */
export type OwnRule = (asked: Asked) => DemoReply | undefined

export function calling(call: DemoCall): DemoReply {
  return { text: '', calls: [call] }
}

/** The parameter of a given tool that takes what was said. */
export function textFieldOf(name: string, { known }: Asked): string | undefined {
  const tool = known.given.get(name)
  if (!tool) return undefined
  const fields = readFields(tool.parameters)
  return fields.find(({ type, values }) => type === 'string' && values.length === 0)?.name ?? 'text'
}

/** Calls a tool whose first text is what was said; undefined where it is not given. */
export function callWithText(name: string, text: string, asked: Asked): DemoReply | undefined {
  const field = textFieldOf(name, asked)
  return field === undefined ? undefined : calling({ name, arguments: { [field]: text } })
}
