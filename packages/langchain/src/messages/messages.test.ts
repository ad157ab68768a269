import type { ModelMessage } from '@dataagent/core'
import {
  AIMessage,
  type BaseMessage,
  ChatMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { REMOVE_ALL_MESSAGES } from '@langchain/langgraph'
import { describe, expect, test } from 'vitest'
import { fromLangChainConversation, toLangChainConversation } from './conversation.ts'
import { fromLangChainMessage } from './from-langchain.ts'
import { createMessageBook } from './message-book.ts'
import { toLangChainMessage } from './to-langchain.ts'

const user = (content: string): ModelMessage => ({ role: 'user', content })
const assistant = (fields: Partial<Extract<ModelMessage, { role: 'assistant' }>>) =>
  ({ role: 'assistant', content: '', tool_calls: [], ...fields }) satisfies ModelMessage

const call = { id: 'c1', name: 'look', arguments: { at: ['sea', { deep: 1 }] } }
const result = { role: 'tool', tool_call_id: 'c1', name: 'look', content: 'blue' } as const

describe('there and back nothing is lost of', () => {
  test.each<[string, ModelMessage]>([
    ['a user', user('hi')],
    ['a reply', assistant({ content: 'hello' })],
    ['calls', assistant({ content: 'so', tool_calls: [call, { ...call, id: 'c2' }] })],
    ['a result', { ...result, is_error: false }],
    ['a failure', { ...result, is_error: true }],
    ['a thought', assistant({ content: 'so', reasoning: [{ text: 'hm' }] })],
    [
      'sealed and hidden thoughts before a call',
      assistant({
        content: 'so',
        tool_calls: [call],
        reasoning: [
          { text: 'hm', signature: 's1' },
          { text: '', redacted: 'xx' },
          { text: 'so', signature: 's2' },
        ],
      }),
    ],
    ['a sealed thought alone', assistant({ reasoning: [{ text: 'hm', signature: 's' }] })],
  ])('%s', (_, message) => {
    expect(fromLangChainMessage(toLangChainMessage(message))).toEqual(message)
  })
})

test('sealed thoughts are content blocks, before the text, as Anthropic wants them back', () => {
  const reasoning = [
    { text: 'hm', signature: 's' },
    { text: '', redacted: 'xx' },
  ]
  expect(toLangChainMessage(assistant({ content: 'so', reasoning })).content).toEqual([
    { type: 'thinking', thinking: 'hm', signature: 's' },
    { type: 'redacted_thinking', data: 'xx' },
    { type: 'text', text: 'so' },
  ])
})

test('what is not sealed is no content: providers refuse it', () => {
  const { content } = toLangChainMessage(assistant({ content: 'so', reasoning: [{ text: 'hm' }] }))
  expect(content).toBe('so')
})

describe('from LangChain', () => {
  test.each<[string, BaseMessage, Partial<ModelMessage>]>([
    [
      'an image leaves a word',
      new HumanMessage({
        content: [
          { type: 'text', text: 'see ' },
          { type: 'image_url', image_url: 'data:x' },
        ],
      }),
      { role: 'user', content: 'see [image]' },
    ],
    ['another role is the user', new ChatMessage('x', 'critic'), { role: 'user', content: 'x' }],
    ['a system message within is the user', new SystemMessage('x'), { role: 'user', content: 'x' }],
    [
      'thoughts of the OpenAI wire',
      new AIMessage({ content: 'a', additional_kwargs: { reasoning_content: 'hm' } }),
      { reasoning: [{ text: 'hm' }] },
    ],
    [
      'a summary of thoughts',
      new AIMessage({
        content: 'a',
        additional_kwargs: { reasoning: { summary: [{ text: 'h' }, { text: 'm' }] } },
      }),
      { reasoning: [{ text: 'hm' }] },
    ],
    [
      "LangChain's own blocks",
      new AIMessage({
        content: [
          { type: 'reasoning', reasoning: 'hm' },
          { type: 'reasoning_content', reasoningText: { text: 'ah', signature: 's' } },
        ],
      }),
      { content: '', reasoning: [{ text: 'hm' }, { text: 'ah', signature: 's' }] },
    ],
    [
      'a broken call is a call',
      new AIMessage({
        content: '',
        invalid_tool_calls: [{ id: 'c', name: 'look', args: '{', error: 'x' }],
      }),
      { tool_calls: [{ id: 'c', name: 'look', arguments: {} }] },
    ],
  ])('%s', (_, message, expected) => {
    expect(fromLangChainMessage(message)).toMatchObject(expected)
  })

  test('a call without an id gets one', () => {
    const message = new AIMessage({ content: '', tool_calls: [{ name: 'look', args: {} }] })
    expect(fromLangChainMessage(message)).toMatchObject({
      tool_calls: [{ id: expect.stringMatching(/^call_/) }],
    })
  })
})

describe('a conversation', () => {
  const book = createMessageBook()

  test('has its system prompt first, and back', () => {
    const conversation = { system: 'Be brief.', messages: [user('hi')] }
    const list = toLangChainConversation(conversation, book)
    expect(list.map((message) => message.getType())).toEqual(['system', 'human'])
    expect(fromLangChainConversation(list, book)).toEqual(conversation)
  })

  test('without one has none', () => {
    expect(toLangChainConversation({ system: '', messages: [] }, book)).toEqual([])
    expect(fromLangChainConversation([], book)).toEqual({ system: '', messages: [] })
  })

  test('has several as one, and those within stay where they are', () => {
    const list = [
      ...[new SystemMessage('a'), new SystemMessage('b')],
      ...[new HumanMessage('c'), new SystemMessage('d')],
    ]
    const messages = [user('c'), user('d')]
    expect(fromLangChainConversation(list, book)).toEqual({ system: 'a\n\nb', messages })
  })
})

describe('a message book', () => {
  const messages = [user('one'), assistant({ content: 'two' }), user('three')]

  function setUp() {
    const book = createMessageBook()
    return { book, theirs: messages.map(book.toLangChain) }
  }

  test('gives the same object for the same message, both ways', () => {
    const { book, theirs } = setUp()
    expect(messages.map(book.toLangChain)).toEqual(theirs)
    expect(theirs.map(book.fromLangChain).every((made, i) => made === messages[i])).toBe(true)
    const image = new HumanMessage({ content: [{ type: 'image', url: 'x' }] })
    expect(book.toLangChain(book.fromLangChain(image))).toBe(image)
  })

  test('adds what is new at the end, as a string or a pair too', () => {
    const { book } = setUp()
    const added = book.toUpdate(messages, [new HumanMessage('four')])
    expect(added.messages).toEqual([...messages, user('four')])
    expect(book.toUpdate([], ['five', ['ai', 'six']]).messages).toEqual([
      user('five'),
      assistant({ content: 'six' }),
    ])
  })

  test('takes the place of what has the same id, and that is no summary', () => {
    const { book, theirs } = setUp()
    const edited = new HumanMessage({ content: 'uno', id: theirs[0]?.id ?? '' })
    expect(book.toUpdate(messages, [edited])).toEqual({
      messages: [user('uno'), ...messages.slice(1)],
    })
  })

  test('sees that a message was changed in place', () => {
    const { book, theirs } = setUp()
    const last = theirs[2] as HumanMessage
    last.content = 'tres'
    expect(book.toUpdate(messages, [last]).messages?.[2]).toEqual(user('tres'))
  })

  test.each<[string, ModelMessage | BaseMessage, (theirs: BaseMessage) => void, object]>([
    [
      'an argument of a call',
      assistant({ tool_calls: [call] }),
      (theirs) => Object.assign((theirs as AIMessage).tool_calls?.[0]?.args ?? {}, { at: 'x' }),
      { tool_calls: [{ ...call, arguments: { at: 'x' } }] },
    ],
    [
      'what is deep within an argument',
      assistant({ tool_calls: [call] }),
      (theirs) => (theirs as AIMessage).tool_calls?.[0]?.args.at.reverse(),
      { tool_calls: [{ ...call, arguments: { at: [{ deep: 1 }, 'sea'] } }] },
    ],
    [
      'a block of the content',
      new HumanMessage({ content: [{ type: 'text', text: 'my secret' }] }),
      (theirs) => Object.assign(theirs.content[0] as object, { text: '[redacted]' }),
      { content: '[redacted]' },
    ],
    [
      'a thought',
      assistant({ content: 'so', reasoning: [{ text: 'hm' }] }),
      (theirs) => Object.assign(theirs.additional_kwargs, { reasoning_content: 'ah' }),
      { reasoning: [{ text: 'ah' }] },
    ],
    [
      'whether a tool failed',
      { ...result, is_error: false },
      (theirs) => Object.assign(theirs, { status: 'error' }),
      { is_error: true },
    ],
  ])('sees %s that was changed in place', (_, given, change, expected) => {
    const { book } = setUp()
    const message = 'role' in given ? given : book.fromLangChain(given)
    const theirs = book.toLangChain(message)
    const before = structuredClone(message)
    change(theirs)
    expect(book.toUpdate([message], [theirs]).messages).toMatchObject([expected])
    expect(message).toEqual(before)
    expect(book.toUpdate([book.fromLangChain(theirs)], [theirs])).toEqual({})
  })

  test('says nothing where all is as it was', () => {
    const { book, theirs } = setUp()
    expect(book.toUpdate(messages, theirs)).toEqual({})
  })

  test('removes by id, and throws for what is not there', () => {
    const { book, theirs } = setUp()
    const remove = new RemoveMessage({ id: theirs[1]?.id ?? '' })
    expect(book.toUpdate(messages, [remove]).messages).toEqual([messages[0], messages[2]])
    expect(() => book.toUpdate(messages, [new RemoveMessage({ id: 'x' })])).toThrow("doesn't exist")
  })

  test('one message in the place of the first ones is a summary of them', () => {
    const { book, theirs } = setUp()
    const all = new RemoveMessage({ id: REMOVE_ALL_MESSAGES })
    const given = [all, new HumanMessage('they counted'), theirs[2] as BaseMessage]
    const { messages: after = [], summary } = book.toUpdate(messages, given)
    expect(after).toEqual([user('they counted'), messages[2]])
    expect(after[1]).toBe(messages[2])
    expect(summary).toEqual({ content: 'they counted', count: 2 })
  })

  test('what changes more than the beginning is no summary', () => {
    const { book, theirs } = setUp()
    const last = theirs[2] as HumanMessage
    last.content = 'tres'
    const whole = [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), new HumanMessage('a'), last]
    expect(book.toUpdate(messages, whole)).not.toHaveProperty('summary')
    const all = new RemoveMessage({ id: REMOVE_ALL_MESSAGES })
    const given = [all, new HumanMessage('a'), new ToolMessage('b', 'c1')]
    expect(book.toUpdate(messages, given)).not.toHaveProperty('summary')
  })
})
