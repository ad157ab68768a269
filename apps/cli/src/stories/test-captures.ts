// Plays conversations in English and Chinese, and writes what the terminal shows to docs/screens.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Reply, toolRounds } from '@dataagent/testkit'
import { startTestPlatform } from '../testing/test-platform.ts'
import { key, openStory, type Story } from './test-story.ts'

const target = join(import.meta.dirname, '../../../../docs/screens/terminal')

const texts = {
  en: {
    lang: 'C.UTF-8',
    prompt: 'Ask anything',
    sales: 'Sales by region last month?',
    answer:
      'East leads with 25,310.\n\n| region | amount |\n| --- | ---: |\n| East | 25,310 |\n| North | 18,020 |\n| West | 980 |\n',
    note: 'Write it to notes.md',
    send: 'Post it to the team',
  },
  zh: {
    lang: 'zh_CN.UTF-8',
    prompt: '/help',
    sales: '上月各区域销售额？',
    answer:
      '华东最高，为 25,310。\n\n| 区域 | 销售额 |\n| --- | ---: |\n| 华东 | 25,310 |\n| 华北 | 18,020 |\n| 西部 | 980 |\n',
    note: '写到 notes.md',
    send: '发送给团队',
  },
}

await using platform = await startTestPlatform({
  script(request) {
    const asked = request.turns.findLast(({ role }) => role === 'user')?.text ?? ''
    return replyTo(asked, toolRounds(request))
  },
})

function replyTo(asked: string, rounds: number): Reply {
  const said = Object.values(texts).find(({ note, send, sales }) =>
    [note, send, sales].includes(asked),
  )
  if (rounds === 0 && asked === said?.note) {
    const content = said.answer
    return { toolCalls: [{ name: 'write_file', arguments: { path: 'notes.md', content } }] }
  }
  if (rounds === 0 && asked === said?.send) {
    const args = { url: 'https://chat.example.com/hook', method: 'POST', body: '{"text":"25,310"}' }
    return { toolCalls: [{ name: 'http_request', arguments: args }] }
  }
  return { text: asked === said?.sales ? said.answer : 'OK.' }
}

await mkdir(target, { recursive: true })
for (const [name, said] of Object.entries(texts)) {
  await using story = await openStory({
    ...{ platform, columns: 84, rows: 36 },
    env: { LANG: said.lang, NO_COLOR: '1' },
  })
  await story.see(said.prompt)
  story.say(said.sales)
  await story.see(/980[\s\S]*(tokens|token)/)
  story.say(said.note)
  await story.see(/notes\.md[\s\S]*OK\./)
  await keep(story, `chat.${name}`)
  story.say(said.send)
  await story.see(/1 .*\n.*2 .*\n.*3 .*\n.*4 /)
  await keep(story, `approval.${name}`)
  await setTimeout(500)
  story.write('n')
  await story.see(/⊘/)
  for (const command of ['/help', '/mcp list', '/context', '/doctor']) {
    story.write(key.ctrl('l'))
    story.say(command)
    await setTimeout(2_500)
    await keep(story, `${command.slice(1).replace(' ', '-')}.${name}`)
  }
}

async function keep(story: Story, name: string): Promise<void> {
  await setTimeout(300)
  const lines = story.screen().map((line) => line.replaceAll(/\/tmp\/\S+/g, '~/work'))
  await writeFile(join(target, `${name}.txt`), `${lines.join('\n').trimEnd()}\n`)
}
