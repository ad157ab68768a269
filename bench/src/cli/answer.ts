const block = [
  '## Sales by region 各区域销售额\n\n',
  'East leads with **25,310**, ',
  'which is `12 %` more than in *October*. ',
  'The other regions follow, as the table shows.\n\n',
  '- orders of resellers are not counted\n',
  '- 退货已扣除\n\n',
  '| region | amount |\n|---|---:|\n',
  '| 华东 East | 25,310 |\n',
  '| 华南 South | 19,204 |\n\n',
  '```sql\nselect region, sum(amount)\n',
  'from orders group by region\n```\n\n',
]

/** The answer after each of so many updates: Markdown as models write it. */
export function* growingAnswer(updates: number): Generator<string> {
  let answer = ''
  for (let at = 0; at < updates; at++) {
    answer += block[at % block.length]
    yield answer
  }
}

/** What stands above it. */
export function historyLines(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `line ${at} of what was said before, 之前的内容`)
}
