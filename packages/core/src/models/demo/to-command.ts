import { toPattern } from './to-pattern.ts'

const polite = toPattern('iu')`
  ^(?:(?:请|麻烦|帮我|帮忙|你|能不能|能否|可以|先)\s{0,3}
  |(?:please|can you|could you|would you|now)\s{1,3}){1,6}`
const name = String.raw`[\x60"“]?([\w./-]{1,128}|终端|命令行)[\x60"”]?\s{0,3}(?:这个|的)?(?:工具|tool\b)?`
const using = toPattern('iu')`
  ^(?:(?:使用|用|调用|通过|在)\s{0,3}|(?:use|using|call|invoke|with|in|/tool)\s{1,3}
  (?:the\s{1,3}|a\s{1,3})?)${name}(?:里面?|中|上)?\s{0,3}[,，]?\s{0,3}`
const heading = toPattern('iu')`^${name}\s{0,3}[:：]\s{0,3}`
const verb = toPattern('iu')`
  ^(?:来|去|to\s|and\s)?\s{0,3}(?:运行|执行|跑|(?:run|execute)\b)(?:一下|下)?\s{0,3}`
const object = toPattern('iu')`
  ^(?:with\s{1,3})?(?:这个|这条|以下|下面的?|the\s{1,3}|this\s{1,3}|following\s{1,3}){0,3}
  (?:(?:shell|bash|终端|系统)\s{0,3})?(?:命令|指令|(?:command(?:\s{1,3}line)?|cmd)\b)
  \s{0,3}(?:是|is\b)?\s{0,3}[=＝:：]?\s{0,3}`
const place = toPattern('iu')`
  \s{1,3}(?:in|with|using|via|on)\s{1,3}(?:the\s{1,3}|a\s{1,3})?
  (?:shell|terminal|console|command\s{1,3}line)(?:\s{1,3}tool)?\s{0,3}[.!?]?$`
const thanks = toPattern('iu')`
  (?:[，,]?\s{0,3}(?:谢谢|多谢|\s(?:please|thanks|thank you)[.!]?)|\s{1,3}(?:看看|试试|吧|一下))?
  [。！？]{0,3}$`

const shellNames: ReadonlySet<string> = new Set('shell bash sh terminal 终端 命令行'.split(' '))
const wrapped = [
  /^```\w{0,12}\n([\s\S]+?)\n?```/u,
  /^`([^`\n]+)`/u,
  /^“([^”\n]+)”/u,
  /^「([^」\n]+)」/u,
  /^"([^"\n]+)"$/u,
  /^'([^'\n]+)'$/u,
]

/**
 * The command line that a message asks to run, to the letter. Empty where it asks for one but does
 * not show clearly which; undefined where it asks for none.
 */
export function toCommand(text: string, isTool = (_name: string) => false): string | undefined {
  const isName = (found = '') => shellNames.has(found.toLowerCase()) || isTool(found)
  const asked = text.trim().replace(polite, '')
  const lead = [using, heading].map((pattern) => pattern.exec(asked)).find((m) => isName(m?.[1]))
  const afterName = asked.slice(lead?.[0].length ?? 0)
  const run = verb.exec(afterName)?.[0] ?? ''
  const afterVerb = withoutHeading(afterName.slice(run.length), isName)
  const told = afterVerb.replace(object, '').replace(/^[:：]\s{0,3}/u, '')
  const isTold = run !== '' || told !== afterVerb || /[:：]\s{0,3}$/u.test(lead?.[0] ?? '')
  if (!lead && !isTold) return undefined
  const isPlain = isTold || /^(?:用|使用|调用|通过|在|\/tool)/u.test(lead?.[0] ?? '')
  const command = toPlainCommand(told.replace(place, ''))
  return isPlain || /^[`“「]/u.test(told) ? command : ''
}

function withoutHeading(text: string, isName: (name?: string) => boolean): string {
  const found = heading.exec(text)
  return found && isName(found[1]) ? text.slice(found[0].length) : text
}

/** What stands between quotes, or all of it; empty where it may be a sentence. */
export function toPlainCommand(text: string): string {
  const told = withoutThanks(text.trim())
  for (const pattern of wrapped) {
    const found = pattern.exec(told)
    const isOnly = found && !/[`“「"]/u.test(told.slice(found[0].length))
    if (found) return isOnly ? (found[1] ?? '').trim() : ''
  }
  const plain = told
    .replace(/^the\s{1,3}(\S.*\S|\S)\s{1,3}command$/iu, '$1')
    .replace(/\s{1,3}(?:这个|这条)?(?:命令|指令)$/u, '')
  return isUnclear(plain) ? '' : plain
}

/** By its end only: the pattern is not tried from every character of a long command. */
function withoutThanks(text: string): string {
  const from = Math.max(0, text.length - 40)
  return text.slice(0, from) + text.slice(from).replace(thanks, '')
}

const sentence = toPattern('iu')`
  ^[^\w./~$!({\[]|^(?:a|an|the|my|some|this|that|it)\s|[，；。？！、]
  |\s(?:然后|并且?|再|看看|来|给我|告诉我|以便|列出|查看|把)
  |\b(?:and|then)\s{1,3}(?:then\s{1,3})?(?:tell|show|give|let|report|explain|send)\b`

function isUnclear(command: string): boolean {
  const outside = command.replaceAll(/"[^"\n]{0,400}"|'[^'\n]{0,400}'|“[^”\n]{0,400}”/gu, '""')
  return sentence.test(outside === '""' ? command : outside)
}
