import { cutAtWord } from './cut-at-word.ts'
import { inWords, texts } from './demo-texts.ts'
import { toolNameIn } from './find-named.ts'
import { isOwnName, type KnownTool } from './known-tools.ts'
import type { Language } from './language.ts'
import { ownInChinese } from './own-descriptions.ts'
import { type DemoReply, say } from './reply.ts'
import { toPattern } from './to-pattern.ts'
import type { Asked } from './use-tool.ts'

const greeting = toPattern('iu')`
  ^\s{0,8}(?:你好|您好|嗨|哈喽|早上好|下午好|晚上好|在吗|hi|hello|hey
  |good (?:morning|afternoon|evening))(?:呀|啊|吗| there)?[\s!！。.~,，]{0,8}$`
const help = toPattern('iu')`
  ^\s{0,8}(?:帮助|help|/help|你(?:能|会|可以)(?:做|干|帮我做)?(?:什么|哪些事?)|你是谁
  |有(?:什么|哪些)工具(?:可以?用)?|(?:你)?(?:能|可以)用(?:什么|哪些)工具
  |what can you do|who are you|what tools (?:do you have|can (?:i|you) use|are there))
  [\s?？!！。.]{0,8}$`
const thanks = /^\s{0,8}(?:谢谢|多谢|感谢|thanks|thank you)[^\n]{0,20}$/iu

/** Greetings, thanks and "what can you do"; undefined for what asks for something. */
export function answerSmallTalk(asked: Asked): DemoReply | undefined {
  const { text, language } = asked
  if (greeting.test(text)) return say(`${texts.hello[language]}\n\n${toAbilities(asked)}`)
  if (help.test(text)) return say(toAbilities(asked))
  if (thanks.test(text)) return say(language === 'zh' ? '不客气！' : 'You are welcome!')
  return undefined
}

/** For what no rule fits: says so, and what there is. */
export function answerLost(asked: Asked): DemoReply {
  const { text, language } = asked
  const name = toolNameIn(text)
  const first = name === undefined ? texts.lost[language] : inWords.noTool(name)[language]
  return say(`${first}\n\n${toAbilities(asked)}`)
}

/** Asks which one of several is meant. */
export function askWhich(tools: readonly KnownTool[], { language }: Asked): DemoReply {
  const lines = tools.slice(0, listedMax).map((tool) => toLine(tool, language))
  return say([texts.which[language], ...lines].join('\n'))
}

const listedMax = 12

function toAbilities({ known, language }: Asked): string {
  const own = [...known.given.values()].filter(({ name }) => isOwnName(name) && !helpers.has(name))
  const tools = [...known.all, ...own]
  const hasMore = known.given.has('search_tools')
  if (tools.length === 0 && !hasMore) return texts.canNothing[language]
  const lines = tools.slice(0, listedMax).map((tool) => toLine(tool, language))
  const left = tools.length - listedMax
  if (left > 0) lines.push(inWords.moreTools(left)[language])
  return [
    ...(lines.length > 0 ? [texts.can[language], ...lines] : []),
    ...(hasMore ? [texts.canSearch[language]] : []),
    texts.howTo[language],
  ].join('\n')
}

const helpers: ReadonlySet<string> = new Set(['search_tools', 'describe_tool', 'call_tool'])

const describedMax = 100

function toLine(
  { name, description }: { name: string; description: string },
  language: Language,
): string {
  const own = language === 'zh' ? ownInChinese[name] : undefined
  const told = own ?? cutAtWord(description, describedMax)
  return told === '' ? `- \`${name}\`` : `- \`${name}\`: ${told}`
}
