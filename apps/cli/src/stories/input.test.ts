import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { key, openStory } from './test-story.ts'

let platform: TestPlatform

beforeAll(async () => {
  platform = await startTestPlatform({
    script(request) {
      const asked = request.turns.findLast(({ role }) => role === 'user')?.text ?? ''
      return { text: `You said: ${JSON.stringify(asked)}` }
    },
  })
})
afterAll(() => platform[Symbol.asyncDispose]())

test('the cursor stands in the cell after Chinese text, where input methods look for it', async () => {
  await using story = await openStory({ platform })
  await story.see('Ask anything')
  story.write('上月销售额ab')
  await story.see('上月销售额ab')
  const row = story.screen().findIndex((line) => line.includes('上月销售额ab'))
  await expect.poll(() => story.cursor()).toEqual({ row, col: 2 + 5 * 2 + 2 })
})

test('lines, pastes and an editor of one’s own', async () => {
  await using story = await openStory({ platform })
  await story.see('Ask anything')
  story.write(`one${key.altEnter}two`)
  await story.see('two')
  story.write(key.enter)
  await story.see('You said: "one\\ntwo"')
  story.write('\x1b[200~a pasted\rline\x1b[201~')
  await story.see('a pasted')
  story.write(key.enter)
  await story.see('You said: "a pasted\\nline"')
})

test('Ctrl+G opens the person’s editor, and takes over what it leaves', async () => {
  await using tools = await temporaryDirectory()
  const editor = join(tools.path, 'edit')
  await writeFile(editor, '#!/bin/sh\nprintf "%s" "$(cat "$1") and more" > "$1"\n', { mode: 0o755 })
  await using story = await openStory({ platform, env: { EDITOR: editor } })
  await story.see('Ask anything')
  story.write('this')
  await story.see('❯ this')
  story.write(key.ctrl('g'))
  await story.see('❯ this and more')
  story.write(key.enter)
  await story.see('You said: "this and more"')
})

test('commands and files are completed', async () => {
  await using story = await openStory({ platform })
  await platform.client.files.write('files/sales-2026.csv', 'a,b\n')
  await story.see('Ask anything')
  story.write('/ses')
  await story.see('/sessions')
  story.write(key.tab)
  await story.see('❯ /sessions')
  story.write(key.ctrl('c'))
  await story.see('Ask anything')
  story.write('look at @files/sal')
  await story.see('files/sales-2026.csv')
  story.write(key.tab)
  await story.see('look at @files/sales-2026.csv')
})

test('what was sent is found again, in the next terminal too', async () => {
  const first = await openStory({ platform })
  await first.see('Ask anything')
  first.say('the quarterly numbers')
  await first.see(/You said: "the quarterly numbers"[\s\S]*tokens/)
  first.write(key.ctrl('d'))
  expect(await first.ended).toBe(0)
  await using home = { path: first.home, [Symbol.asyncDispose]: () => first[Symbol.asyncDispose]() }
  await using second = await openStory({ platform, home })
  await second.see('Ask anything')
  second.write(key.ctrl('r'))
  second.write('quart')
  await second.see('the quarterly numbers')
  second.write(key.enter)
  await second.see('❯ the quarterly numbers')
})

test('another size is another layout, drawn once', async () => {
  await using story = await openStory({ platform, columns: 100, rows: 30 })
  await story.see('Ask anything')
  story.say('a long question that fills the line when it is narrow 你好你好')
  await story.see(/You said:[\s\S]*tokens/)
  for (const [columns, rows] of [
    [50, 20],
    [120, 30],
    [64, 18],
  ] as const) {
    await story.resize(columns, rows)
    await expect
      .poll(() => story.screen().filter((line) => /^─+$/.test(line)))
      .toEqual(['─'.repeat(columns), '─'.repeat(columns)])
    await expect
      .poll(() => story.screen().filter((line) => line.includes('Ask anything')))
      .toHaveLength(1)
  }
})
