import { createClient } from '@dataagent/client'
import { expect, test } from 'vitest'
import { createTestSockets } from '../testing/test-socket.ts'
import { createChatBook } from './chat-book.ts'
import { createDrafts } from './drafts.ts'

function openBook() {
  const { WebSocket } = createTestSockets()
  const client = createClient({ baseUrl: 'http://site', WebSocket })
  const drafts = createDrafts({ tenant_id: 'default', user_id: 'ana' })
  const book = createChatBook({ client, drafts, onNotice: () => {}, nextFrame: queueMicrotask })
  const isOpen = (session: ReturnType<typeof book.open>) => session.get().socket.status !== 'closed'
  return { book, isOpen, [Symbol.dispose]: book.closeAll }
}

test('of many chats the oldest is left, but for those that hold what nobody else has', () => {
  using opened = openBook()
  const { book, isOpen } = opened
  const [first, second, ...others] = ['a', 'b', 'c', 'd'].map((id) => book.open(id))
  first?.send('on its way')
  first?.send('queued')
  const fifth = book.open('e')
  const shown = [first, second, ...others, fifth].map((each) => each && isOpen(each))
  expect(shown).toEqual([true, false, true, true, true])
  expect(book.open('a')).toBe(first)
  expect(first?.get()).toMatchObject({ queue: [{ text: 'queued' }] })
  expect(book.hasUnsent()).toBe(true)
  expect(second).not.toBe(book.open('b'))
})

test('where all hold something none is left, and the one that is opened stays', () => {
  using opened = openBook()
  const { book, isOpen } = opened
  const sessions = ['a', 'b', 'c', 'd'].map((id) => book.open(id))
  for (const session of sessions) session.send('Hi')
  expect([...sessions, book.open('e')].every(isOpen)).toBe(true)
})

test('a page that holds nothing may be left', () => {
  using opened = openBook()
  opened.book.open('a')
  expect(opened.book.hasUnsent()).toBe(false)
})

test('what nobody else has is a draft once the chats are left, and gone with who signs out', () => {
  using opened = openBook()
  const { book } = opened
  book.drafts.set('a', 'half a thought')
  const chat = book.open('a')
  for (const text of ['on its way', 'queued']) chat.send(text)
  book.closeAll()
  expect(book.drafts.get('a')).toBe('half a thought\n\non its way\n\nqueued')
  book.forget()
  book.open('a').send('late')
  book.closeAll()
  expect(book.drafts.get('a')).toBeUndefined()
})

test('what is said to a chat that is being made is unsent, and a draft once the page is left', () => {
  using opened = openBook()
  const { book } = opened
  const texts = ['first']
  const left: string[] = []
  const letGo = book.hold({ texts: () => texts, leave: () => left.push('one') })
  book.hold({ texts: () => ['of another'], leave: () => left.push('another') })
  texts.push('second')
  expect(book.hasUnsent()).toBe(true)
  letGo()
  expect(book.hasUnsent()).toBe(true)
  book.hold({ texts: () => texts, leave: () => left.push('one') })
  book.closeAll()
  expect(left).toEqual(['another', 'one'])
  expect(book.drafts.get('new')).toBe('of another\n\nfirst\n\nsecond')
  expect(book.hasUnsent()).toBe(false)
})
