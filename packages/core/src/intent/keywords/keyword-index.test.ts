import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ToolServer } from '../contract.ts'
import { foldText } from '../fold-text.ts'
import { createKeywordIndex } from './keyword-index.ts'
import { isWordAt } from './word-character.ts'

function server(name: string, ...trigger_keywords: string[]): ToolServer {
  return { server_id: name, name, description: name, trigger_keywords }
}

function find(message: string, ...keywords: string[]): boolean {
  return createKeywordIndex([server('a', ...keywords)]).find(message).length > 0
}

describe('a keyword', () => {
  test.each([
    ['SQL', 'some sql, please', true],
    ['SQL', 'MySQL', false],
    ['SQL', 'SQLite', false],
    ['SQL', 'sql_mode', false],
    ['SQL', '用SQL统计', true],
    ['SQL', 'ＳＱＬ', true],
    ['sql', 'SQL2', false],
    ['SQL', '𝐒𝐐𝐋', true],
    ['C++', 'is C++ hard', true],
    ['C++', 'c++怎么写', true],
    ['C++', 'ABC++', false],
    ['.NET', 'the .net runtime', true],
    ['order status', 'Order Status?', true],
    ['order status', 'order statuses', false],
    ['库存', '查库存量', true],
    ['SQL查询', '用sql查询吧', true],
    ['SQL查询', '用MySQL查询吧', false],
    ['straße', 'STRASSE', true],
    ['ΟΔΟΣ', 'οδός και οδος', true],
    ['café', 'cafe\u0301', true],
    ['cafe', 'cafe\u0301', false],
    ['заказ', 'мой заказ', true],
    ['заказ', 'заказы', false],
    ['SQL', 'SQL을 써줘', true],
    ['a.c', 'abc', false],
    ['  ', 'a b', false],
    ['𠮷野家', '我在𠮷野家吃饭', true],
  ])('%j in %j: %s [B2.2]', (keyword, message, found) => {
    expect(find(message, keyword)).toBe(found)
  })

  test('inside another one does not hide it', () => {
    const servers = [server('short', '订单'), server('long', '订单编号'), server('tail', '编号错')]
    const found = createKeywordIndex(servers).find('这个订单编号错了')
    expect(found.map(({ server: { name } }) => name)).toEqual(['long', 'short', 'tail'])
  })

  test('of two servers finds both', () => {
    const servers = [server('a', '报表'), server('b', '报表')]
    const found = createKeywordIndex(servers).find('看报表')
    expect(found).toEqual(servers.map((each) => ({ server: each, keyword: '报表' })))
  })

  test('is told as its server writes it, not as the message does', () => {
    const servers = [server('a', ' Straße ', 'STRASSE'), server('b', 'strasse')]
    const found = createKeywordIndex(servers).find('which strasse?')
    expect(found.map(({ keyword }) => keyword)).toEqual(['Straße', 'strasse'])
  })
})

test('the automaton finds what a search for each keyword finds [T66]', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '订', '单', ' ', '+'), maxLength: 5 })
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 12 }),
      fc.string({ unit: word, maxLength: 12 }),
      (keywords, text) => {
        expect(find(text, ...keywords)).toBe(
          keywords.some((keyword) => findsPlainly(text, keyword)),
        )
      },
    ),
  )
})

function findsPlainly(message: string, keyword: string): boolean {
  const [text, word] = [foldText(message), foldText(keyword.trim())]
  if (word === '') return false
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length
    const isStart = at === 0 || !(isWordAt(text, at) && isWordAt(text, at - 1))
    const isEnd = end === text.length || !(isWordAt(text, end - 1) && isWordAt(text, end))
    if (isStart && isEnd) return true
  }
  return false
}

describe('the cost of a message', () => {
  const message = 'the quick brown fox 跳过了那只懒狗 keyword-7x 关键词 and more of it. '.repeat(
    300,
  )

  /** The fastest of several runs: what else the machine does only adds. */
  function costOf(count: number): number {
    const keywords = Array.from({ length: count }, (_, n) => `keyword-${n} 关键词${n}号`)
    const index = createKeywordIndex([server('a', ...keywords)])
    return Math.min(
      ...Array.from({ length: 12 }, () => {
        const start = performance.now()
        index.find(message)
        return performance.now() - start
      }),
    )
  }

  test('does not grow with the number of keywords: 10, 1,000, 100,000 [T66]', () => {
    const [ten, thousand, many] = [costOf(10), costOf(1_000), costOf(100_000)]
    expect(thousand!).toBeLessThan(ten! * 20 + 20)
    expect(many!).toBeLessThan(ten! * 20 + 20)
  })
})
