/** Which limit of a run was reached. */
export type LimitName = 'model_calls' | 'tool_calls' | 'tokens' | 'cost' | 'time'

const texts: Record<LimitName, { en: string; zh: string }> = {
  model_calls: { en: 'model calls', zh: '模型调用次数' },
  tool_calls: { en: 'tool calls', zh: '工具调用次数' },
  tokens: { en: 'tokens', zh: 'token 数' },
  cost: { en: 'cost', zh: '费用' },
  time: { en: 'time', zh: '时间' },
}

/** What the assistant says when a run ends at a limit, in the language of `asked`. */
export function toLimitText(limit: LimitName, asked: string): string {
  if (/\p{Script=Han}/u.test(asked)) {
    return `我先停在这里：本次运行已达到${texts[limit].zh}的上限。已完成的内容会保留，你可以发送“继续”让我接着做。`
  }
  return (
    `I stopped here: this run has reached its limit of ${texts[limit].en}. ` +
    'What was done so far is kept; say "continue" and I go on.'
  )
}
