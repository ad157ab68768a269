import type { KnownTool } from './known-tools.ts'

const identifier = /[A-Za-z][\w-]{0,63}(?:[./][\w-]{1,63}){0,8}/g
const announced =
  /(?:用|调用|运行|执行|\b(?:use|call|run|invoke|execute)\s{1,3}(?:the\s{1,3})?|\/tool\s{1,3})[`"“]?\s{0,2}$/iu
const marked = /^[`"”]?\s{0,2}(?:这个|的)?(?:工具|tool\b)/iu

/** The tool that a message names: whole, or by its last parts where only one ends so. */
export function findNamed(text: string, tools: readonly KnownTool[]): KnownTool | undefined {
  for (const { 0: name, index } of text.matchAll(identifier)) {
    const isNamed = /[_.]/.test(name) || isAnnounced(text, index, index + name.length)
    const found = isNamed ? findByEnding(toKey(name), tools) : undefined
    if (found) return found
  }
  return undefined
}

/** Whether a name in a message is a tool's, or the end of it. */
export function isNameOf(said: string, { name }: { name: string }): boolean {
  const [key, whole] = [toKey(said), toKey(name)]
  return whole === key || whole.endsWith(`_${key}`)
}

const asked =
  /(?:用|使用|调用|\b(?:use|call|invoke)\s{1,3}(?:the\s{1,3})?)\s{0,2}[`"“]?([\p{L}\p{N}_.-]{1,64})[`"”]?\s{0,2}(?:这个)?(?:工具|tool\b)/iu

/** What a message calls a tool, whether there is one or not. */
export function toolNameIn(text: string): string | undefined {
  const name = asked.exec(text.slice(0, 2_000))?.[1]
  return name !== undefined && /什么|哪|\b(?:a|an|any|some|which|what|right|best)\b/iu.test(name)
    ? undefined
    : name
}

/** Whether a message asks for a tool by a name as only tools have one: no other is meant. */
export function asksByName(text: string): boolean {
  return /[_.]/.test(toolNameIn(text) ?? '')
}

function isAnnounced(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 20), start)
  return announced.test(before) || marked.test(text.slice(end, end + 12))
}

function findByEnding(key: string, tools: readonly KnownTool[]): KnownTool | undefined {
  const whole = tools.find(({ name }) => toKey(name) === key)
  if (whole) return whole
  const ending = tools.filter(({ name }) => toKey(name).endsWith(`_${key}`))
  return ending.length === 1 ? ending[0] : undefined
}

function toKey(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
}
