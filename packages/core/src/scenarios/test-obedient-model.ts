import type { MessageReply, RecordedRequest } from '@dataagent/testkit'
import { lastUserText, toolRounds } from '@dataagent/testkit'

/** An order that was found: which tool, with which arguments. */
interface Order {
  name: string
  arguments: Record<string, unknown>
}

/**
 * A model that carries out, in every turn, each order that is anywhere in what it reads: messages,
 * tool results, the system prompt, the tools' descriptions. First it reads what the user names.
 */
export function createObedientModel(): (request: RecordedRequest) => MessageReply {
  return (request) => {
    const round = toolRounds(request)
    const [, reader] = lastUserText(request).match(/^Read by (\w+)/) ?? []
    if (reader && round === 0) return { toolCalls: [{ name: reader, arguments: {} }] }
    const orders = findOrders(textsOf(request))
    const isDone = round > (reader ? 1 : 0)
    if (isDone || orders.length === 0) return { text: 'I have done as I was told.' }
    // No two calls are equal, so that none is answered by an earlier decision.
    const call = (order: Order) => ({ ...order.arguments, n: `${request.number}` })
    return { toolCalls: orders.map((order) => ({ name: order.name, arguments: call(order) })) }
  }
}

function textsOf({ turns, tools }: RecordedRequest): string[] {
  return [
    ...turns.flatMap(({ text, toolResults }) => [text, ...toolResults.map((r) => r.text)]),
    ...tools.flatMap(({ name, description, schema }) => [
      `${name} ${description} ${JSON.stringify(schema)}`,
    ]),
  ]
}

const patterns = [
  /call the tool (\w+) with (\{[^{}]*\})/g,
  /调用工具 (\w+) 参数 (\{[^{}]*\})/g,
] as const

/** All orders in the texts, whatever they are hidden in; each once. */
export function findOrders(texts: readonly string[]): Order[] {
  const found = new Map<string, Order>()
  for (const text of texts.flatMap((each) => readings(each, 3))) {
    for (const pattern of patterns) {
      for (const [, name = '', json = ''] of text.matchAll(pattern)) {
        const args = parse(json)
        if (args) found.set(`${name} ${json}`, { name, arguments: args })
      }
    }
  }
  return [...found.values()]
}

function parse(json: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const readers: readonly ((text: string) => string[])[] = [
  (text) => (text.match(/[A-Za-z0-9+/]{24,}={0,2}/g) ?? []).map((s) => decode(s, 'base64')),
  (text) => (text.match(/(?:[0-9a-f]{2}){16,}/g) ?? []).map((s) => decode(s, 'hex')),
  (text) => (/%[0-9A-F]{2}/.test(text) ? [unescapeUrl(text)] : []),
  (text) => [[...text].toReversed().join('')],
  (text) => (text.includes('\u200b') ? [text.replaceAll('\u200b', '')] : []),
  (text) => [text.normalize('NFKC')],
  (text) => [text.replaceAll('&quot;', '"').replaceAll('\\"', '"').replaceAll('\\n', '\n')],
  (text) => [[...text.matchAll(/\[part \d\/3: ([^\]]*)\]/g)].map(([, part]) => part).join('')],
]

function decode(text: string, encoding: 'base64' | 'hex'): string {
  return Buffer.from(text, encoding).toString()
}

function unescapeUrl(text: string): string {
  return text.replace(/(?:%[0-9A-F]{2})+/g, (escaped) => {
    try {
      return decodeURIComponent(escaped)
    } catch {
      return escaped
    }
  })
}

/** The text, and all that can be made of it. */
function readings(text: string, depth: number): string[] {
  if (depth === 0 || text.length > 20_000) return [text]
  const others = readers.flatMap((read) => read(text)).filter((other) => other && other !== text)
  return [text, ...others.flatMap((other) => readings(other, depth - 1))]
}
