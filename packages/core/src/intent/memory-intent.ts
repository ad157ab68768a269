import { toPattern } from './to-pattern.ts'

const chinese = toPattern('u')`
  ^\s{0,8}(?:(?:嗯|好的?)[\s,，。!！]{1,3})?(?:请|麻烦)?(?:你|您)?(?:帮我|给我)?
  (?:一定|务必|要|以后|今后|永远)?(?:记住|记一下|记下|记着|记好|记录一下|牢记|别忘|不要忘
  |请勿忘|还记得|记得(?=要|用|提醒|帮|别|把|告诉|[^，。]{1,40}[吗?？])
  |(?<=[请你您以后要])记得|忘(?:掉|记|了)(?=我|你|它|他|她|这|那|刚|之前|上次|所有|关于)
  |把.{1,40}忘(?:掉|记|了))`
const english = toPattern('iu')`
  ^\s{0,8}(?:(?:ok|okay|hey|hi)[\s,!]{1,3})?(?:please\s{1,3})?
  (?:(?:can|could|will|would)\s{1,3}you\s{1,3}(?:please\s{1,3})?)?
  (?:(?:always\s{1,3})?remember(?:\s{1,3}(?!when\b|the\s{1,3}(?:time|day)\b)|\s{0,2}[:,])
  |(?:don['’]?t|do\s{1,3}not|never)\s{1,3}forget\b
  |forget\s{1,3}(?:that|about|what|my|everything|it|all|this)\b
  |do\s{1,3}you\s{1,3}(?:still\s{1,3})?remember\b|keep\s{1,3}in\s{1,3}mind\b
  |make\s{1,3}a\s{1,3}note\b|take\s{1,3}note\b|memori[sz]e\b)`

/** Whether a message asks to keep something in mind, to forget it, or what is kept. */
export function isMemoryIntent(text: string): boolean {
  return chinese.test(text) || english.test(text)
}
