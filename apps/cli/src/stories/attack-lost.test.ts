import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { messageMax } from '@dataagent/schema'
import { startModelStandIn } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { key, openStory, type Story } from './test-story.ts'

const paste = (text: string) => `\x1b[200~${text}\x1b[201~`

function platformOf({ home }: Story): number {
  const found = execFileSync('ps', ['axeww', '-o', 'pid=,args='], { encoding: 'utf8' })
  const line = found
    .split('\n')
    .find((text) => text.includes(home) && text.includes('server/src/terminal.ts'))
  return Number.parseInt(line ?? '', 10)
}

test('what cannot be sent is given back, and a platform that is killed leaves no turn under way', async () => {
  await using model = await startModelStandIn({
    script: ({ turns }) =>
      turns.findLast(({ role }) => role === 'user')?.text.includes('slow')
        ? { text: 'word '.repeat(5_000), itl: 20 }
        : { text: 'Done.' },
  })
  await using story = await openStory({
    env: {
      ...{ DATAAGENT_MODEL: 'openai:standin', OPENAI_API_KEY: model.apiKey },
      OPENAI_BASE_URL: `${model.url}/v1`,
    },
  })
  await story.see('Ask anything')
  story.write(paste('word '.repeat(messageMax / 5 + 1)))
  await story.see('[paste')
  story.write(key.enter)
  await story.see('The message is too long: 200004 characters', { anywhere: true })
  story.write(key.ctrl('c'))
  await story.see('Ask anything')
  story.say('hello')
  await story.see('Done.')
  story.say('/lang zh')
  await story.see('输入问题')
  story.say('slow please')
  await story.see('word word')
  process.kill(platformOf(story), 'SIGKILL')
  await story.see('平台已停止')
  await story.see(/连接已断开.*\? 按键/)
  story.say('one more')
  await story.see('消息未能发送')
  await story.see(/❯ one more/)
  story.write(key.ctrl('c'))
  await story.see('输入问题')
  story.say('/compact')
  await story.see(/平台没有响应|无响应|✗/)
  expect(story.all().join('\n')).not.toContain('该命令在当前轮次结束后执行')
}, 60_000)

test('a server that nobody runs is said to be unreachable, without a log of ours', async () => {
  const reserved = createServer().listen(0, '127.0.0.1')
  await once(reserved, 'listening')
  const { port } = reserved.address() as { port: number }
  reserved.close()
  await using story = await openStory({ args: ['--server', `http://127.0.0.1:${port}`] })
  await story.see('There is no connection: ')
  await story.see(/connection lost/)
  expect(story.all().join('\n')).not.toMatch(/starting|The log is/)
})
