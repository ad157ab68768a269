const lead = String.raw`^\s{0,8}(?:(?:ok|okay|hey|hi|嗯|好的?)[\s,，。!！]{1,3})?`

const chinese = new RegExp(
  `${lead}(?:请|麻烦)?(?:你|您)?(?:帮我|给我)?(?:一定|务必|要|以后|今后|永远)?(?:` +
    '记住|记一下|记下来?|记着|记好|记录一下|牢记|记得|(?:别|不要|请勿)忘(?:记|了)?' +
    ')(?:了|一下)?[\\s:：,，、]{0,4}(?<rest>.+)$',
  'su',
)
const english = new RegExp(
  `${lead}(?:please\\s{1,3})?(?:(?:can|could|will|would)\\s{1,3}you\\s{1,3}(?:please\\s{1,3})?)?(?:` +
    `(?:always\\s{1,3})?remember|(?:don['’]?t|do\\s{1,3}not|never)\\s{1,3}forget|` +
    'keep\\s{1,3}in\\s{1,3}mind|(?:make\\s{1,3}a|take)\\s{1,3}note|memori[sz]e' +
    ')(?:\\s{1,3}(?:that|of\\s{1,3}this|this(?=\\s{0,2}[:,]))\\b)?[\\s:,]{1,4}(?<rest>.+)$',
  'isu',
)

/** Says nothing by itself: what is meant was said before, and the model has to find it. */
const pointing = /^(?:这个|这些|这点|这一点|这件事|它|this|that|it|these|those)[\s.。!！]*$/iu
const asking = /[?？]$|[吗么呢][\s?？。!！]{0,20}$/u
/** Where a message tells whether it asks; the pattern never sees more. */
const endChars = 100

/** What a message of the user asks to keep in mind, as a text of its own; else undefined. */
export function toRemembered(message: string): string | undefined {
  if (asking.test(message.trimEnd().slice(-endChars))) return undefined
  const rest = (chinese.exec(message) ?? english.exec(message))?.groups?.rest?.trim()
  return rest === undefined || rest === '' || pointing.test(rest) ? undefined : rest
}
