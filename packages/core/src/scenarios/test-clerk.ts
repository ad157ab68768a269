import type { MessageReply, RecordedRequest } from '@dataagent/testkit'

interface Told {
  code: string
  errors?: { path: string }[]
}

/** Asks for the field that an error names; tells any other error; shows what it got. */
export function clerk(request: RecordedRequest): MessageReply {
  const [result] = request.turns.at(-1)?.toolResults ?? []
  if (result === undefined) return { toolCalls: [callFor(request)] }
  const told = parse(result.text)
  if (told?.code === undefined) return { text: `Here it is: ${result.text}` }
  const [field] = told.errors ?? []
  return { text: field ? `What is the ${field.path}?` : `It cannot be looked up now: ${told.code}` }
}

function callFor({ tools, turns }: RecordedRequest) {
  const name =
    tools.find((tool) => tool.name.includes('get_detail'))?.name ??
    'mall--mall4j--order--get_detail'
  const [orderId] = turns.findLast(({ role }) => role === 'user')?.text.match(/order-\d+/) ?? []
  return { name, arguments: orderId === undefined ? {} : { orderId } }
}

function parse(text: string): Told | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
