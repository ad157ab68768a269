import { describe, expect, test } from 'vitest'
import { createConversation, ownTools, shopTools } from './test-conversation.ts'
import { toCommand } from './to-command.ts'

describe('the command is to the letter that of', () => {
  test.each<[string, string]>([
    ['用 shell 运行 ls -la', 'ls -la'],
    ['用 shell 工具运行 ls -la', 'ls -la'],
    ['用shell运行ls -la', 'ls -la'],
    ['请帮我用 `shell` 工具执行 `ls -la`。', 'ls -la'],
    ['用 shell 运行 “ls -la”', 'ls -la'],
    ['用 shell 运行命令："ls -la"', 'ls -la'],
    ['用 shell 工具：ls -la | wc -l', 'ls -la | wc -l'],
    ['用 shell ls -la', 'ls -la'],
    ['用 shell 运行 cat 销售数据.csv', 'cat 销售数据.csv'],
    ['用 shell 运行 ls -la，谢谢', 'ls -la'],
    ['用 shell 运行 ls -la 看看', 'ls -la'],
    ['在终端执行 echo "你好，世界"', 'echo "你好，世界"'],
    ['运行命令 ls', 'ls'],
    ['帮我运行一下 ls -l 命令', 'ls -l'],
    ['运行 shell 命令 cat shell.txt', 'cat shell.txt'],
    ['use the shell tool to run ls -la', 'ls -la'],
    ['Please use shell to execute the command `cat a.txt`', 'cat a.txt'],
    ['use the shell tool: ls -la', 'ls -la'],
    ['use the shell tool with command=ls -la', 'ls -la'],
    ['use the shell tool with command="ls -la"', 'ls -la'],
    ['use shell {"command":"ls -la"}', 'ls -la'],
    ['run ls -la in the shell', 'ls -la'],
    ['run grep -r list . in the shell', 'grep -r list .'],
    ['用终端运行 grep -n read_file a.md', 'grep -n read_file a.md'],
    ['run echo "run this" with the shell tool', 'echo "run this"'],
    ['run the command find . -name "*.md"', 'find . -name "*.md"'],
    ['use the shell tool to run the date command', 'date'],
    ['use the shell tool to run "ls -la"', 'ls -la'],
    ['shell: make cwd=x all', 'make cwd=x all'],
    ['/tool shell ls -la', 'ls -la'],
    ['use the shell tool:\n```sh\ncd a\nls\n```', 'cd a\nls'],
  ])('%j', async (message, command) => {
    const { calls } = await createConversation({ tools: [...shopTools, ...ownTools] }).say(message)
    expect(calls).toEqual([{ name: 'shell', arguments: { command } }])
  })
})

describe('what does not show its command is asked for it:', () => {
  test.each([
    '用 shell 列出文件',
    '用 shell 运行一个脚本',
    '用 shell 运行 `rm a` 和 `ls`',
    '用 shell 运行 ls -la，然后告诉我结果',
    '用 shell 运行 ls -la 然后告诉我结果',
    'use the shell tool to list the files',
    'use the shell tool to run a script',
    'use the shell tool to run ls and tell me what you see',
  ])('%j', async (message) => {
    const { say } = createConversation({ tools: ownTools })
    const { calls, text } = await say(message)
    expect(calls).toEqual([])
    expect(text).toContain('`command`')
    expect((await say('cat notes.txt | head -3')).calls).toEqual([
      { name: 'shell', arguments: { command: 'cat notes.txt | head -3' } },
    ])
  })
})

test('a sentence is no answer to the question for a command', async () => {
  const { say } = createConversation({ tools: ownTools })
  await say('用 shell 运行一个脚本')
  expect((await say('讲个笑话吧，谢谢')).calls).toEqual([])
})

test.each(['读取 a.txt', 'show the orders', '运行报表', 'run the report', '取消订单'])(
  '%j asks for no command',
  async (message) => {
    const { calls } = await createConversation({ tools: ownTools }).say(message)
    expect(calls.map(({ name }) => name)).not.toContain('shell')
  },
)

test.each(['“', '用 ', 'run ', '`', '"', ' in the', '，'])(
  'a long message of %j does not hold it up',
  (unit) => {
    const start = performance.now()
    toCommand(`用 shell 运行 x${unit.repeat(20_000)}`)
    expect(performance.now() - start).toBeLessThan(5_000)
  },
)
