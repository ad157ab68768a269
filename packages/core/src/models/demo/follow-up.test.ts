import { describe, expect, test } from 'vitest'
import { createConversation, ownTools, shopTools } from './test-conversation.ts'

const edit = {
  ...{ name: 'edit_file' },
  arguments: { path: 'notes.txt', old_string: 'bread', new_string: 'rye bread' },
}

describe('answers to a question for several fields', () => {
  test('one by one are kept until all are there, in the language of the conversation', async () => {
    const { say } = createConversation({ tools: ownTools })
    expect((await say('用 edit_file 工具')).text).toContain('`path`、`old_string`、`new_string`')
    expect((await say('notes.txt')).text).toContain('我还需要：`old_string`、`new_string`')
    expect((await say('bread')).text).toContain('我还需要：`new_string`')
    expect((await say('rye bread')).calls).toEqual([edit])
  })

  test.each([
    'notes.txt、bread、rye bread',
    'notes.txt, bread, rye bread',
    'notes.txt\nbread\nrye bread',
    'old_string=bread path=notes.txt new_string="rye bread"',
  ])('all in one message make the call: %j', async (answer) => {
    const { say } = createConversation({ tools: ownTools })
    await say('用 edit_file 工具')
    expect((await say(answer)).calls).toEqual([edit])
  })

  test('may be left in between, and then are not kept', async () => {
    const { say } = createConversation({ tools: ownTools })
    await say('用 edit_file 工具')
    await say('notes.txt')
    expect((await say('取消')).text).toContain('不做了')
    expect((await say('bread')).calls).toEqual([])
  })

  test('with commas in them are one text each', async () => {
    const { say } = createConversation({ tools: shopTools })
    await say('给 bob@example.com 发邮件，用 send_mail 工具')
    expect((await say('Hello, Bob')).text).toContain('`body`')
    expect((await say('See you, soon')).calls).toEqual([
      {
        name: 'mailer_send_mail',
        arguments: { to: 'bob@example.com', subject: 'Hello, Bob', body: 'See you, soon' },
      },
    ])
  })
})
