import { toPattern } from './to-pattern.ts'

/** What says that something is wanted, and how; not what. */
const chinese = [
  /(?:请|麻烦|帮我|帮忙|给我|你|我想|我要|想要?|能不能|能否|可以|可不可以)/gu,
  /(?:使用|调用|运行|执行|通过|用)\s{0,2}[\w.\-/`]{1,128}\s{0,2}(?:这个)?(?:工具|服务)?/gu,
  /(?:查询|查找|查看|查一查|查一下|查下|查|搜索|搜一下|搜|找一下|找找|找|看一下|看看|告诉我|一下)/gu,
  /(?:怎么样|如何|多少|有哪些|有没有|是什么|是多少|哪些|好吗|吗|呢|吧|啊)/gu,
  /(?:今天|明天|后天|昨天|现在|最近|天气|气温|订单|商品|产品|库存|信息|详情|情况|数据)/gu,
]
const english = [
  /\b(?:please|can you|could you|would you|i want to|i need to|i need|i want|let's)\b/gi,
  toPattern('gi')`
    \b(?:use|call|run|invoke|execute|using|with)\s{1,3}(?:the\s{1,3})?[\w.\-/\x60]{1,128}
    (?:\s{1,3}tool\b)?(?:\s{1,3}(?:to|for|on|with)\b)?`,
  toPattern('gi')`
    \b(?:show|tell|give|get|find|search|look up|check|query|list|fetch)\b
    (?:\s{1,3}(?:me|for|up|out)\b)?`,
  /\b(?:what is|what's|what are|how is|how's|how many|how much|is there|are there|who is)\b/gi,
  toPattern('gi')`
    \b(?:the|a|an|of|in|for|about|me|my|our|all|any|now|today|tomorrow|like|weather|forecast
    |orders?|products?|stock|details?)\b`,
]

/**
 * What a message is about, without the words that ask for it: after a colon all that follows, else
 * what is left. Empty where nothing is.
 */
export function toSubject(text: string): string {
  const afterColon = /[:：]\s*(\S[\s\S]*)$/.exec(text)?.[1]
  if (afterColon !== undefined) return afterColon.trim()
  const left = [...chinese, ...english].reduce((rest, words) => rest.replaceAll(words, ' '), text)
  const spaced = left.replaceAll(/[\s?？!！。，,;；、]+/gu, ' ')
  return withoutEnd(spaced.replace(/^[的 ]+/u, '')).trim()
}

/** By hand: a pattern for the end of a text is tried from each of its characters. */
function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && '的 .'.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
