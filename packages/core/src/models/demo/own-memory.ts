import { texts } from './demo-texts.ts'
import { closestFact, type Fact, readFacts } from './facts.ts'
import { calling, callWithText, type OwnRule, textFieldOf } from './own-rule.ts'
import { type DemoReply, say } from './reply.ts'
import { toPattern } from './to-pattern.ts'
import type { Asked } from './use-tool.ts'

const remembering = toPattern('iu')`
  ^\s{0,8}(?:请|麻烦)?(?:你|帮我)?(?:记住|记一下|记下来?|别忘了|不要忘记)
  [:：，,\s]{0,3}([\s\S]+)$
  |^\s{0,8}(?:please\s{1,3})?(?:remember(?!ing)|don['’]?t\s{1,3}forget)(?:\s{1,3}that)?
  [:,\s]{1,3}([\s\S]+)$`
const recalling = toPattern('iu')`
  ^\s{0,8}你?还?都?(?:记得|记住了)
  |^\s{0,8}(?:what\s{1,3})?do\s{1,3}you\s{1,3}(?:still\s{1,3})?
  (?:remember|know\s{1,3}about\s{1,3}me)
  |^\s{0,8}我最?(?:喜欢|爱|讨厌|住|叫|姓|的(?:名字|生日|爱好|地址|口味))
  .{0,30}(?:什么|哪|谁|多少|几)
  |^\s{0,8}(?:what\s{1,3}do\s{1,3}i\s{1,3}(?:like|love|prefer|hate|drink|eat)
  |what(?:['’]s|\s{1,3}is)\s{1,3}my\s{1,3}(?:name|birthday|favou?rite|address)
  |where\s{1,3}do\s{1,3}i\s{1,3}live|who\s{1,3}am\s{1,3}i)\b`
const forgetting = toPattern('iu')`
  ^\s{0,8}(?:请|麻烦)?(?:你|帮我)?(?:忘掉|忘记|忘了)\s{0,2}[:：]?\s{0,2}([\s\S]+)$
  |^\s{0,8}(?:请)?(?:把|将)\s{0,3}([\s\S]{1,400}?)\s{0,3}(?:忘掉|忘记|忘了)(?:吧)?[。！!]?\s{0,3}$
  |^\s{0,8}(?:please\s{1,3})?forget\s{1,3}(?:about\s{1,3}|that\s{1,3}|what\s{1,3})?([\s\S]+)$`

export const rememberFact: OwnRule = (asked) => {
  const found = remembering.exec(asked.text)
  const fact = (found?.[1] ?? found?.[2])?.trim()
  if (!fact) return undefined
  return callWithText('remember', fact, asked) ?? say(texts.noMemory[asked.language])
}

/** What asks, and says nothing about what is asked for. */
const askingWords = toPattern('giu')`
  你|还|都|记得|记住了|什么|哪里|哪儿|哪个|多少|吗|呢|关于|有关
  |\b(?:what|where|who|do|you|still|remember|know|anything|something|about|me|am|i|is)\b
  |[?？。.!！]|['’]s\b`

export const recallFacts: OwnRule = (asked) => {
  if (!recalling.test(asked.text) || !asked.known.given.has('recall')) return undefined
  const query = asked.text.replaceAll(askingWords, ' ').replaceAll(/\s+/g, ' ').trim()
  if (query === '' || query === '我') return tellFacts(asked.known.notes, asked)
  return callWithText('recall', query, asked)
}

/** A fact is forgotten by its id: where none is given it is looked up first. */
export const forgetFact: OwnRule = (asked) => {
  const fact = toForget(asked.text)
  const field = textFieldOf('forget', asked)
  if (!fact || field === undefined) return undefined
  const isReady = !/id$/i.test(field) || /^[\w-]{8,64}$/.test(fact)
  return callWithText(isReady ? 'forget' : 'recall', fact, asked)
}

function toForget(text: string): string | undefined {
  const fact = forgetting
    .exec(text)
    ?.slice(1)
    .find((part) => part)
  return fact?.trim().replace(/[。.!！]{1,3}$/u, '')
}

/** After `recall`: forgets the fact that was to be forgotten, else tells what was found. */
export function afterRecall(content: string, asked: Asked): DemoReply {
  const facts = readFacts(content)
  const wanted = toForget(asked.text)
  if (wanted === undefined || facts.length === 0) return tellFacts(facts, asked)
  const fact = closestFact(wanted, facts)
  const field = textFieldOf('forget', asked)
  if (fact && field) return calling({ name: 'forget', arguments: { [field]: fact.fact_id } })
  const lines = facts.map(({ text, fact_id }) => `- ${text} (\`${fact_id}\`)`)
  return say([texts.forgetWhich[asked.language], ...lines].join('\n'))
}

function tellFacts(facts: readonly Fact[], { language }: Asked): DemoReply {
  if (facts.length === 0) return say(texts.noFacts[language])
  return say([texts.facts[language], ...facts.map(({ text }) => `- ${text}`)].join('\n'))
}
