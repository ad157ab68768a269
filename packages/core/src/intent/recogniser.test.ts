import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { IntentInput } from './contract.ts'
import { labelledEntries, labelledServers } from './labelled/world.ts'
import { createIntentRecogniser } from './recogniser.ts'

const recogniser = createIntentRecogniser()

function recognise(message: string, input: Partial<IntentInput> = {}) {
  return recogniser.recognise({
    message,
    entries: labelledEntries,
    servers: labelledServers,
    hasPendingApproval: false,
    ...input,
  })
}

const intentOf = (message: string, input?: Partial<IntentInput>) => recognise(message, input).intent
const toolsOf = (message: string) => recognise(message).entries.map(({ tool }) => tool.name)

describe('explicit intent', () => {
  test.each([
    ['用 run_query 工具查一下', 'run_query'],
    ['使用run_query工具', 'run_query'],
    ['调用 run_query', 'run_query'],
    ['请用 run_query 查一下人数', 'run_query'],
    ['use the run_query tool', 'run_query'],
    ['call run_query', 'run_query'],
    ['run the run_query tool', 'run_query'],
    ['/tool run_query select 1', 'run_query'],
    ['use "run_query"', 'run_query'],
    ['call `run_query`', 'run_query'],
    ['use db.run_query', 'db.run_query'],
    ['use db_run_query', 'db_run_query'],
    ['use RUN_QUERY', 'RUN_QUERY'],
    ['use the ｒｕｎ＿ｑｕｅｒｙ tool', 'run_query'],
    ['use the run_q tool', 'run_q'],
  ])('is found in %j, and the name taken out as it is written [B2.1]', (message, tool_name) => {
    expect(recognise(message)).toEqual({
      intent: { type: 'mcp', tool_name, server_id: 'srv-warehouse-db' },
      words: [{ by: 'name', word: tool_name, server_id: 'srv-warehouse-db' }],
      entries: labelledEntries.filter(({ tool }) => tool.name === 'run_query'),
    })
  })

  test('that names a server means all of its tools', () => {
    const { intent, entries } = recognise('用 github 工具看看')
    expect(intent).toEqual({ type: 'mcp', tool_name: 'github', server_id: 'srv-github' })
    expect(entries).toHaveLength(3)
  })

  test('with several tools means each of them, the first being the intent', () => {
    const message = 'first use list_tables, then describe_table'
    expect(toolsOf(message)).toEqual(['list_tables', 'describe_table'])
    expect(intentOf(message)).toMatchObject({ tool_name: 'list_tables' })
  })

  test('tells each name once', () => {
    expect(recognise('use list_tables, then use list_tables again').words).toEqual([
      { by: 'name', word: 'list_tables', server_id: 'srv-warehouse-db' },
    ])
  })

  test('by a short name that tools of two servers have leaves the server open', () => {
    const twice = labelledEntries.map((entry) => ({ ...entry }))
    const [first] = twice
    const other = { ...first!, tool: { ...first!.tool, server_id: 'srv-clock' } }
    const { intent, entries } = recognise('call get_detail', { entries: [...twice, other] })
    expect(intent).toEqual({ type: 'mcp', tool_name: 'get_detail' })
    expect(entries).toHaveLength(2)
  })

  test('by a beginning that several tools have is none', () => {
    expect(intentOf('use the lis tool')).toEqual({ type: 'normal' })
  })

  test.each([
    ['use the "price oracle" tool', 'price oracle'],
    ['用「汇率」工具', '汇率'],
    ['/tool nothing.like.it', 'nothing.like.it'],
  ])('counts in %j although nobody has the tool', (message, tool_name) => {
    const words = [{ by: 'name', word: tool_name, server_id: undefined }]
    expect(recognise(message)).toEqual({ intent: { type: 'mcp', tool_name }, words, entries: [] })
  })

  test.each([
    '用什么工具比较好',
    'call me tomorrow',
    'what tools can I use',
    '调用关系图怎么画',
    'use the right tool for the job',
    'please do not use the run_query tool',
    '不要用 run_query 工具',
    'write a function called run_query',
    'use time wisely',
  ])('is not found in %j', (message) => {
    expect(intentOf(message)).toEqual({ type: 'normal' })
  })

  test("knows the agent's own tools and servers only", () => {
    const none = { entries: [], servers: [] }
    expect(intentOf('call run_query', none)).toEqual({ type: 'normal' })
    expect(intentOf('今天天气怎么样', none)).toEqual({ type: 'normal' })
  })

  test('comes before keywords, memory and answers', () => {
    const input = { hasPendingApproval: true }
    expect(intentOf('记住：天气用 run_query 工具查', input)).toMatchObject({
      tool_name: 'run_query',
    })
  })
})

describe('keyword intent', () => {
  test('is tied to the server by its id [B2.2]', () => {
    const { intent, entries } = recognise('明天的天气')
    expect(intent).toEqual({ type: 'mcp', server_id: 'srv-weather' })
    expect(entries.map(({ tool }) => tool.server_id)).toEqual(['srv-weather', 'srv-weather'])
  })

  test('of several servers is of the one whose keyword comes first, with the tools of all', () => {
    const { intent, entries } = recognise('天气好的话，订单会早到吗')
    expect(intent).toEqual({ type: 'mcp', server_id: 'srv-weather' })
    expect(entries.map(({ tool }) => tool.server_id)).toEqual([
      ...Array(4).fill('srv-mall'),
      ...Array(2).fill('srv-weather'),
    ])
  })

  test('tells the keyword of each server', () => {
    expect(recognise('天气好的话，订单会早到吗').words).toEqual([
      { by: 'keyword', word: '天气', server_id: 'srv-weather' },
      { by: 'keyword', word: '订单', server_id: 'srv-mall' },
    ])
  })
})

describe('a message with no MCP pattern', () => {
  test.each([
    '记住我喜欢茶',
    '记一下：周五开会',
    '你还记得我的名字吗',
    'remember that I like tea',
    "don't forget my name",
    'forget what I said',
  ])('asks for memory in %j [B2.3]', (message) => {
    expect(intentOf(message)).toEqual({ type: 'memory' })
  })

  test.each(['同意', '批准', '拒绝', 'approve', 'go ahead', "no, don't"])(
    'answers an approval by %j, where one is pending [B2.3]',
    (message) => {
      expect(intentOf(message, { hasPendingApproval: true })).toEqual({ type: 'hitl' })
      expect(intentOf(message)).toEqual({ type: 'normal' })
    },
  )

  test('is memory before it is an answer', () => {
    const message = '记住，同意'
    expect(intentOf(message, { hasPendingApproval: true })).toEqual({ type: 'memory' })
  })

  test('is else normal [B2.3]', () => {
    const nothing = { words: [], entries: [] }
    expect(recognise('写一首诗')).toEqual({ intent: { type: 'normal' }, ...nothing })
  })
})

describe('any message', () => {
  test('has an intent', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        'use the ',
        '用',
        'run_query',
        ' tool',
        '工具',
        '`',
        '“',
        '/tool ',
        '订单',
        '不要',
      ),
    )
    const message = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(message, fc.boolean(), (text, hasPendingApproval) => {
        const { intent, entries } = recognise(text, { hasPendingApproval })
        expect(['mcp', 'memory', 'hitl', 'normal']).toContain(intent.type)
        expect(intent.type === 'mcp' || entries.length === 0).toBe(true)
      }),
    )
  })

  test.each([
    'a',
    '用',
    'use ',
    'use a_b ',
    'run_query ',
    '`',
    '"',
    '/tool x\n',
    '订单',
    '不',
    'a.',
    '把',
  ])('costs little, also where %j is repeated in it 50,000 times', (unit) => {
    const message = unit.repeat(50_000)
    recognise(message)
    const start = performance.now()
    recognise(message)
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
