import { describe, expect, test } from 'vitest'
import { createConversation, ownTools, shopTools } from './test-conversation.ts'

const tools = [...shopTools, ...ownTools]
const notes = { path: 'notes.txt' }

describe('a message about files', () => {
  test.each<[string, string, object]>([
    ['读取 销售数据.csv', 'read_file', { path: '销售数据.csv' }],
    ['读取销售数据.csv', 'read_file', { path: '销售数据.csv' }],
    ['读取文件 文件/笔记.txt', 'read_file', { path: '文件/笔记.txt' }],
    ['打开 “报告2026.md”', 'read_file', { path: '报告2026.md' }],
    ['把 a.md 的内容给我看看', 'read_file', { path: 'a.md' }],
    ['笔记.txt 里有什么？', 'read_file', { path: '笔记.txt' }],
    ["what's in docs/a.md?", 'read_file', { path: 'docs/a.md' }],
    ['show me the content of a.md', 'read_file', { path: 'a.md' }],
    ['写入 文件/笔记.txt：买牛奶', 'write_file', { path: '文件/笔记.txt', content: '买牛奶' }],
    ['写入 笔记.txt，内容是“买牛奶”', 'write_file', { path: '笔记.txt', content: '买牛奶' }],
    ['把“买牛奶”写入 notes.txt', 'write_file', { ...notes, content: '买牛奶' }],
    ['请把买牛奶保存到文件 笔记.txt 里', 'write_file', { path: '笔记.txt', content: '买牛奶' }],
    ['保存“你好，世界”到 你好.txt', 'write_file', { path: '你好.txt', content: '你好，世界' }],
    ['在 笔记.txt 里写入 买牛奶', 'write_file', { path: '笔记.txt', content: '买牛奶' }],
    ['write buy milk to notes.txt', 'write_file', { ...notes, content: 'buy milk' }],
    ['save "buy milk" as notes.txt', 'write_file', { ...notes, content: 'buy milk' }],
    ['删除 笔记.txt', 'delete_file', { path: '笔记.txt' }],
    ['把 notes.txt 删掉', 'delete_file', notes],
    ['delete the file notes.txt', 'delete_file', notes],
    [
      '把 笔记.txt 里的“面包”改成“牛奶”',
      'edit_file',
      { path: '笔记.txt', old_string: '面包', new_string: '牛奶' },
    ],
    [
      'replace bread with "rye bread" in notes.txt',
      'edit_file',
      { ...notes, old_string: 'bread', new_string: 'rye bread' },
    ],
    ['在文件里搜索 牛奶', 'grep', { pattern: '牛奶' }],
    ['在 笔记.txt 中查找“牛奶”', 'grep', { pattern: '牛奶', path: '笔记.txt' }],
    ['search my files for milk', 'grep', { pattern: 'milk' }],
    ['find milk in notes.txt', 'grep', { pattern: 'milk', ...notes }],
  ])('%j calls %s', async (message, name, args) => {
    const { calls } = await createConversation({ tools }).say(message)
    expect(calls).toEqual([{ name, arguments: args }])
  })

  test.each(['删除所有文件', '删除 x', 'delete everything'])('%j deletes none', async (message) => {
    const { calls } = await createConversation({ tools }).say(message)
    expect(calls.map(({ name }) => name)).not.toContain('delete_file')
  })

  test('that does not say what to write is asked for it', async () => {
    const { say } = createConversation({ tools })
    expect((await say('写入 文件/笔记.txt')).text).toContain('`content`')
    expect((await say('买牛奶，买面包')).calls).toEqual([
      { name: 'write_file', arguments: { path: '文件/笔记.txt', content: '买牛奶，买面包' } },
    ])
  })
})

describe('a file that is not there', () => {
  const fault = { code: 'not_found', message: '"笔记.txt" does not exist in the workspace' }

  test.each([
    ['读取 笔记.txt', /工作区里没有 `笔记\.txt`.*列出所有文件.*写入/s],
    ['read notes.txt', /no `notes\.txt` in the workspace.*list all files.*write to/s],
  ])('is told by its name, with what can be done: %j', async (message, told) => {
    const { say, give } = createConversation({ tools })
    await say(message)
    const { text } = await give(fault, true)
    expect(text).toMatch(told)
    expect(text).not.toMatch(/没有这个工具|no such tool/)
  })

  test('is not a missing tool, which is told as one', async () => {
    const { say, give, tell } = createConversation()
    await say('取消订单 order-0042')
    tell({ tools: [], system: '' })
    const gone = { code: 'not_found', message: 'There is no tool mall_order_cancel' }
    expect((await give(gone, true)).text).toContain('没有名为 `mall_order_cancel` 的工具')
  })

  test('is not an order that a server does not have', async () => {
    const { say, give } = createConversation()
    await say('查一下 order-0042')
    const { text } = await give({ code: 'not_found', message: 'No order-0042.' }, true)
    expect(text).toContain('No order-0042.')
    expect(text).not.toContain('工具')
  })
})

describe('memory with ids', () => {
  const fact = (name: string) => ({
    ...{ name, description: '', parameters: { properties: { fact_id: { type: 'string' } } } },
  })
  const memory = [...ownTools.filter(({ name }) => name !== 'forget'), fact('forget')]
  const found = '- 我喜欢喝茶 (2026-11-16, f-00000001)\n- 我喜欢喝咖啡 (2026-11-16, f-00000002)'

  test.each(['忘记 我喜欢喝茶', '忘记我喜欢喝茶。', '请把我喜欢喝茶忘掉'])(
    '%j looks the fact up and forgets it',
    async (message) => {
      const { say, give } = createConversation({ tools: memory })
      const { calls } = await say(message)
      expect(calls).toEqual([{ name: 'recall', arguments: { query: '我喜欢喝茶' } }])
      expect((await give(found)).calls).toEqual([
        { name: 'forget', arguments: { fact_id: 'f-00000001' } },
      ])
      expect((await give('Forgotten.')).text).toContain('我忘掉了')
    },
  )

  test('forgets nothing where several facts fit, and asks which', async () => {
    const { say, give } = createConversation({ tools: memory })
    await say('忘记我喜欢什么')
    const { calls, text } = await give(found)
    expect(calls).toEqual([])
    expect(text).toContain('`f-00000002`')
    expect((await say('忘记 f-00000002')).calls).toEqual([
      { name: 'forget', arguments: { fact_id: 'f-00000002' } },
    ])
  })

  test('says so where nothing like it is remembered', async () => {
    const { say, give } = createConversation({ tools: memory })
    await say('forget that I like tea')
    expect((await give('Nothing is remembered about that.')).text).toContain('nothing like that')
  })

  test.each([
    ['我喜欢喝什么', '我喜欢喝'],
    ['what do I like?', 'like'],
    ['do you remember my birthday', 'my birthday'],
  ])('%j is looked up by %j', async (message, query) => {
    const { calls } = await createConversation({ tools: memory }).say(message)
    expect(calls).toEqual([{ name: 'recall', arguments: { query } }])
  })

  test.each(['你还记得什么？', 'what do you remember about me?'])(
    '%j is answered with the notes of the system prompt',
    async (message) => {
      const system = `You help.\n\n## Memory\nNotes.\n${found}`
      const { text, calls } = await createConversation({ tools: memory, system }).say(message)
      expect(calls).toEqual([])
      expect(text).toContain('- 我喜欢喝茶\n- 我喜欢喝咖啡')
    },
  )
})
