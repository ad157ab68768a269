import { toPattern } from '../to-pattern.ts'

/** How far back a refusal is looked for. */
const windowMax = 40

const chinese = toPattern('u')`
  (?:(?<![能可要想用行])不(?:要|用|必|需要|能|想|可以|准|许|得|该|应该|会|再)?
  |(?<![特分区级类个])别|勿|莫|没有?|无需|无须|禁止|停止|避免|除了|而不是)
  (?:再|去|直接|先|给我|随便|擅自)?(?:使用|调用|运行|执行|用)?(?:一下)?\s?$`
const english = toPattern('i')`
  (?:\b(?:don['’]?t|do not|does not|never|not|without|avoid(?:ing)?|stop|instead of
  |rather than|no|can['’]?t|cannot|won['’]?t|shouldn['’]?t|must not)\s)
  (?:(?:us(?:e|ing)|call(?:ing)?|run(?:ning)?|invok(?:e|ing)|the|to|need|ever|please
  |tool|you|again)\s){0,4}$`

/** Whether what begins at `index` is something that the message says not to do. */
export function isRefused(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - windowMax), index)
  return chinese.test(before) || english.test(before)
}

const defining = toPattern('iu')`
  (?:\b(?:called|named|function|method|def|class|variable|const|let|var|fn|func)\s
  |(?:叫|叫做|名为|名叫|函数|方法|定义|变量)\s?)$`

/** Whether the name at `index` is being given to something else, as programs give names. */
export function isDefined(text: string, index: number): boolean {
  return defining.test(text.slice(Math.max(0, index - windowMax), index))
}
