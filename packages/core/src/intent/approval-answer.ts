import { toPattern } from './to-pattern.ts'

/** Words that say yes or no and nothing else: a reason may follow them. */
const clear = toPattern('iu')`
  ^我?(?:同意|批准|准许|不同意|不批准|拒绝|驳回)(?:了|吧|执行|操作|继续|这次|本次)*
  (?=\s*(?:$|[,.:;!?，。：；！？-]))
  |^(?:i\s)?(?:approved?|reject(?:ed)?|deny|denied|declined?|go ahead|don['’]?t(?: do)?)
  (?: (?:it|that|this|them|all))?(?=\s*(?:$|[,.:;!?-]))`

/** Words that say much besides: they answer only where little else is said. */
const chineseAnswer = toPattern('u')`
  ^(?:我|先|那|就)?(?:好|好的|好吧|可以|行|行吧|确认|确定|没问题|允许|继续|通过|执行|是|是的|对|嗯
  |准|不|不行|不可以|不要|不用|不准|别|取消|停止|停|算了|否|先不|不允许|等等)
  (?:的|吧|了|啊|呀|哦|执行|继续|操作|做|这样做|这么做)*$`
const englishAnswer = toPattern('i')`
  ^(?:please )?(?:yes|yep|yeah|y|ok|okay|sure|confirm(?:ed)?|proceed|continue|allow|fine|do it
  |please do|accept(?:ed)?|of course|no|nope|n|not now|cancel|stop|abort|never|wait|go ahead
  |don['’]?t|approved?|reject|please|thanks|thank you)
  (?: (?:it|that|this|them|please|thanks|thank you|do|do it|do that|go ahead|ahead|approved?))*$`

/** Whether a message answers a question for approval, yes or no. */
export function isApprovalAnswer(text: string): boolean {
  const trimmed = text.trim()
  if (trimmed.length === 0 || trimmed.length > answerMax) return false
  if (clear.test(trimmed)) return !/[?？]\s*$/.test(trimmed)
  const clauses = trimmed.split(/[\s]*[,.;:!，。；：！、]+[\s]*/u).filter((clause) => clause !== '')
  return clauses.some(saysMore) && clauses.every(isAnswer)
}

/** Thanks alone are no answer. */
function saysMore(clause: string): boolean {
  return !/^(?:please|thanks|thank you)$/i.test(clause)
}

function isAnswer(clause: string): boolean {
  return chineseAnswer.test(clause) || englishAnswer.test(clause) || clear.test(clause)
}

const answerMax = 200
