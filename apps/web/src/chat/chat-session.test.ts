import { createClient } from '@dataagent/client'
import { waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createTestSockets, type SocketEnd, type TestSockets } from '../testing/test-socket.ts'
import { type ChatSession, createChatSession } from './chat-session.ts'

interface Opened extends TestSockets, Disposable {
  chat: ChatSession
  end: SocketEnd
  /** How often the page was told to show it anew. */
  shown: () => number
}

/** A session that has caught up; the page shows it with every frame that the test lets pass. */
async function open({ seq = 0, status = 'idle', isLive = true } = {}): Promise<Opened> {
  const sockets = createTestSockets()
  const client = createClient({ baseUrl: 'http://site', WebSocket: sockets.WebSocket })
  let count = 0
  const chat = createChatSession({
    ...{ client, session_id: 's1', onNotice: () => {} },
    nextFrame: (work) => queueMicrotask(work),
  })
  chat.subscribe(() => (count += 1))
  const end = await sockets.connected(1)
  end.tell({ event_type: 'connected', seq, status })
  if (isLive) end.tell({ event_type: 'caught_up', seq })
  return { ...sockets, chat, end, shown: () => count, [Symbol.dispose]: chat.close }
}

const taken = (text: unknown, message_id: unknown, seq: number) => ({
  ...{ event_type: 'user_message', content: text, message_id, seq },
})
const done = (seq: number, cancelled = false) => ({ event_type: 'done', cancelled, seq })
const refused = (fields: object) => ({
  ...{ event_type: 'refused', in_reply_to: 'chat', message: 'No.', ...fields },
})

/** The server takes the message that was said last, as the event with this number. */
function take({ said }: TestSockets, end: SocketEnd, seq: number): void {
  const { message, message_id } = said('chat').at(-1)?.payload ?? {}
  end.tell(taken(message, message_id, seq))
}

const textsOf = ({ said }: TestSockets) => said('chat').map(({ payload }) => payload?.message)
const contentOf = (chat: ChatSession) => chat.get().view.turns.map((turn) => turn.parts)

describe('a message', () => {
  test('is pending until the server has it', async () => {
    using opened = await open()
    const { chat, end } = opened
    chat.send('Hi')
    expect(chat.get().pending).toMatchObject([{ text: 'Hi', error: undefined }])
    take(opened, end, 1)
    expect(chat.get()).toMatchObject({ pending: [], view: { status: 'running' } })
    expect(chat.get().view.turns).toMatchObject([{ message: { content: 'Hi' } }])
  })

  test('that is said before the session is there is sent when it is', async () => {
    using opened = await open({ isLive: false })
    opened.chat.send('Hi')
    expect(textsOf(opened)).toEqual([])
    opened.end.tell({ event_type: 'caught_up', seq: 0 })
    expect(textsOf(opened)).toEqual(['Hi'])
  })

  test.each([
    ['a quota is used up (429)', 'quota_exceeded'],
    ['it is not allowed', 'forbidden'],
  ])('is kept with the reason where %s, to be sent again or discarded', async (_, error_code) => {
    using opened = await open()
    const { chat, end } = opened
    chat.send('Hi')
    end.tell(refused({ error_code }))
    await waitFor(() => chat.get().pending[0]?.error)
    expect(chat.get().pending).toMatchObject([{ text: 'Hi', error: { error_code } }])
    const { message_id = '' } = chat.get().pending[0] ?? {}

    chat.retry(message_id)
    expect(textsOf(opened)).toEqual(['Hi', 'Hi'])
    expect(opened.said('chat')[1]?.payload).toMatchObject({ message_id })
    end.tell(refused({ error_code }))
    await waitFor(() => chat.get().pending[0]?.error)
    chat.dismiss(message_id)
    expect(chat.get().pending).toEqual([])
  })

  test('is sent again by itself while the server is full (503), and said so when it stays so', async () => {
    using opened = await open()
    const { chat, end } = opened
    chat.send('Hi')
    for (let times = 1; times <= 5; times += 1) {
      await waitFor(() => textsOf(opened).length === times)
      expect(chat.get().pending).toMatchObject([{ error: undefined }])
      end.tell(refused({ error_code: 'unavailable', retry_after_ms: 1 }))
    }
    await waitFor(() => chat.get().pending[0]?.error)
    expect(chat.get().pending).toMatchObject([{ error: { error_code: 'unavailable' } }])
  })
})

describe('while a turn is under way', () => {
  async function openBusy(): Promise<Opened> {
    const opened = await open()
    opened.chat.send('first')
    take(opened, opened.end, 1)
    return opened
  }

  test('messages queue, can be changed and taken back, and go one by one', async () => {
    using opened = await openBusy()
    const { chat, end } = opened
    for (const text of ['second', 'third', 'fourth']) chat.send(text)
    const [second, third] = chat.get().queue
    chat.editQueued(second?.id ?? '', 'other')
    chat.removeQueued(third?.id ?? '')
    expect(textsOf(opened)).toEqual(['first'])
    end.tell(done(2))
    expect(textsOf(opened)).toEqual(['first', 'other'])
    expect(chat.get().queue).toMatchObject([{ text: 'fourth' }])
    take(opened, end, 3)
    end.tell(done(4))
    expect(textsOf(opened)).toEqual(['first', 'other', 'fourth'])
  })

  test('a message that failed holds the queue until it is dealt with', async () => {
    using opened = await openBusy()
    const { chat, end } = opened
    chat.send('second')
    chat.send('third')
    end.tell(done(2))
    end.tell(refused({ error_code: 'quota_exceeded' }))
    await waitFor(() => chat.get().pending[0]?.error)
    expect(textsOf(opened)).toEqual(['first', 'second'])
    chat.dismiss(chat.get().pending[0]?.message_id ?? '')
    expect(textsOf(opened)).toEqual(['first', 'second', 'third'])
  })

  test('stop says that it stops until the end is there', async () => {
    using opened = await openBusy()
    const { chat, end } = opened
    chat.stop()
    expect(opened.said('cancel')).toHaveLength(1)
    expect(chat.get().isStopping).toBe(true)
    end.tell(done(2, true))
    expect(chat.get()).toMatchObject({ isStopping: false, view: { status: 'idle' } })
    expect(chat.get().view.turns).toMatchObject([{ status: 'stopped' }])
  })

  test('steering stops it and is said first, before what is queued', async () => {
    using opened = await openBusy()
    const { chat, end } = opened
    chat.send('later')
    chat.steer('rather this')
    expect(opened.said('cancel')).toHaveLength(1)
    expect(textsOf(opened)).toEqual(['first'])
    end.tell(done(2, true))
    expect(textsOf(opened)).toEqual(['first', 'rather this'])
    expect(chat.get().queue).toMatchObject([{ text: 'later' }])
  })

  test('with nothing under way steering sends at once, and stop does nothing', async () => {
    using opened = await open()
    opened.chat.stop()
    opened.chat.steer('now')
    expect(opened.said('cancel')).toEqual([])
    expect(textsOf(opened)).toEqual(['now'])
  })
})

describe('stop before the server has the message', () => {
  async function openAway() {
    const opened = await open()
    opened.end.drop(1012)
    const comeBack = async (status = 'idle') => {
      const next = await opened.connected(2)
      next.tell({ event_type: 'connected', seq: 0, status })
      next.tell({ event_type: 'caught_up', seq: 0 })
      return next
    }
    return { opened, comeBack }
  }

  test('takes it back while away: it is never sent, and its text is given back once', async () => {
    const { opened, comeBack } = await openAway()
    using _ = opened
    const { chat } = opened
    chat.send('Hi')
    chat.stop()
    expect(chat.get()).toMatchObject({ pending: [], isStopping: false, takenBack: ['Hi'] })
    await comeBack()
    expect([opened.said('chat'), opened.said('cancel')]).toEqual([[], []])
    expect([chat.collect(), chat.collect()]).toEqual([['Hi'], []])
    expect(chat.get().takenBack).toEqual([])
  })

  test('does not send again what was on its way when the line broke', async () => {
    using opened = await open()
    const { chat, end } = opened
    chat.send('Hi')
    end.drop(1012)
    chat.stop()
    expect(chat.get()).toMatchObject({ pending: [{ text: 'Hi' }], isStopping: true })
    const next = await opened.connected(2)
    next.tell({ event_type: 'connected', seq: 0, status: 'idle' })
    next.tell({ event_type: 'caught_up', seq: 0 })
    await waitFor(() => chat.get().takenBack.length > 0)
    expect(chat.get()).toMatchObject({ pending: [], isStopping: false, takenBack: ['Hi'] })
    expect(textsOf(opened)).toEqual(['Hi'])
  })

  test('stops it all the same where it had arrived', async () => {
    using opened = await open()
    const { chat, end } = opened
    chat.send('Hi')
    end.drop(1012)
    chat.stop()
    const next = await opened.connected(2)
    next.tell({ event_type: 'connected', seq: 1, status: 'running' })
    take(opened, next, 1)
    next.tell({ event_type: 'caught_up', seq: 1 })
    expect(next.sent.filter(({ type }) => type === 'cancel').length).toBeGreaterThan(0)
    expect(chat.get()).toMatchObject({ takenBack: [], isStopping: true })
    next.tell(done(2, true))
    expect(chat.get()).toMatchObject({ isStopping: false, view: { status: 'idle' } })
  })

  test('is over when the message is refused: the next turn is not said to stop', async () => {
    using opened = await open()
    const { chat, end } = opened
    chat.send('Hi')
    chat.stop()
    expect(chat.get().isStopping).toBe(true)
    end.tell(refused({ error_code: 'quota_exceeded' }))
    await waitFor(() => !chat.get().isStopping)
    expect(chat.get()).toMatchObject({ pending: [], takenBack: ['Hi'] })
    chat.send('next')
    take(opened, end, 1)
    expect(chat.get()).toMatchObject({ isStopping: false, view: { status: 'running' } })
  })

  test('takes back what waits to be sent again', async () => {
    using opened = await open()
    const { chat, end } = opened
    chat.send('Hi')
    end.tell(refused({ error_code: 'quota_exceeded' }))
    await waitFor(() => chat.get().pending[0]?.error)
    const work = Promise.withResolvers<void>()
    chat.holdFor(work.promise)
    chat.retry(chat.get().pending[0]?.message_id ?? '')
    chat.stop()
    work.resolve()
    await Promise.resolve()
    expect(chat.get()).toMatchObject({ pending: [], isStopping: false, takenBack: ['Hi'] })
    expect(textsOf(opened)).toEqual(['Hi'])
  })
})

test('why the server lets nobody in is told until it does', async () => {
  using opened = await open({ isLive: false })
  const { chat, end } = opened
  const details = { limit: 'ws_max_sockets_per_user', max: 3 }
  end.tell({ event_type: 'refused', error_code: 'quota_exceeded', message: 'No.', details })
  end.drop(1013)
  expect(chat.get()).toMatchObject({ socket: { status: 'waiting' }, refusal: { details } })
  const next = await opened.connected(2)
  next.tell({ event_type: 'connected', seq: 0, status: 'idle' })
  next.tell({ event_type: 'caught_up', seq: 0 })
  expect(chat.get().refusal).toBeUndefined()
})

test('an approval is met for the first time once', async () => {
  using opened = await open()
  expect(['a1', 'a1', 'a2'].map(opened.chat.meets)).toEqual([true, false, true])
})

describe('while it is held', () => {
  /** Two works that the test ends: the first as it should, the second by failing. */
  async function openHeld() {
    const opened = await open()
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    opened.chat.holdFor(first.promise)
    opened.chat.holdFor(second.promise)
    return { opened, end: first.resolve, fail: () => second.reject(new Error('No.')) }
  }

  test.each(['send', 'steer'] as const)('what one would %s waits for all of it', async (way) => {
    const { opened, end, fail } = await openHeld()
    using _ = opened
    opened.chat[way]('Hi')
    end()
    await Promise.resolve()
    expect(textsOf(opened)).toEqual([])
    expect(opened.chat.get().queue).toMatchObject([{ text: 'Hi' }])
    fail()
    await waitFor(() => textsOf(opened).length > 0)
    expect(opened.chat.get()).toMatchObject({ queue: [], pending: [{ text: 'Hi' }] })
  })

  test('the queue waits at the end of a turn, and what is sent again', async () => {
    using opened = await open()
    const { chat, end } = opened
    chat.send('first')
    take(opened, end, 1)
    chat.send('second')
    const work = Promise.withResolvers<void>()
    chat.holdFor(work.promise)
    end.tell(done(2))
    expect(textsOf(opened)).toEqual(['first'])
    work.resolve()
    await waitFor(() => textsOf(opened).length === 2)
    end.tell(refused({ error_code: 'quota_exceeded' }))
    await waitFor(() => chat.get().pending[0]?.error)

    const more = Promise.withResolvers<void>()
    chat.holdFor(more.promise)
    const { message_id = '' } = chat.get().pending[0] ?? {}
    chat.retry(message_id)
    expect(chat.get().pending).toMatchObject([{ message_id, error: undefined }])
    expect(textsOf(opened)).toEqual(['first', 'second'])
    more.resolve()
    await waitFor(() => textsOf(opened).length === 3)
    expect(opened.said('chat')[2]?.payload).toMatchObject({ message: 'second', message_id })
    expect(chat.get().pending).toHaveLength(1)
  })
})

describe('a connection that is lost', () => {
  const text = (content: string, offset: number, seq = 2) => ({
    ...{ event_type: 'text', is_final: false, content, offset, seq },
  })

  test('comes back, asks for what follows the last letter, and nothing is twice', async () => {
    using opened = await open()
    const { chat, end } = opened
    chat.send('Hi')
    take(opened, end, 1)
    end.tell(text('Hello wo', 0))
    end.drop()
    expect(chat.get().socket.status).toBe('waiting')
    const next = await opened.connected(2)
    expect(next.sent).toEqual([{ type: 'resume', payload: { seq: 2, offset: 8 } }])
    next.tell({ event_type: 'connected', seq: 1, status: 'running' })
    next.tell(text('Hello world', 0))
    next.tell({ event_type: 'caught_up', seq: 2 })
    expect(contentOf(chat)).toMatchObject([[{ kind: 'text', content: 'Hello world' }]])
    expect(chat.get()).toMatchObject({ wasAway: true, socket: { status: 'live' } })
  })

  test('keeps what is said meanwhile and sends it once, with what was queued behind it', async () => {
    using opened = await open()
    const { chat, end } = opened
    end.drop(1012)
    chat.send('Hi')
    chat.send('and this')
    const next = await opened.connected(2)
    next.tell({ event_type: 'connected', seq: 0, status: 'idle' })
    next.tell({ event_type: 'caught_up', seq: 0 })
    expect(textsOf(opened)).toEqual(['Hi'])
    take(opened, next, 1)
    next.tell(done(2))
    expect(textsOf(opened)).toEqual(['Hi', 'and this'])
  })

  test('is over for good where the server says so', async () => {
    using opened = await open()
    opened.end.drop(4404)
    expect(opened.chat.get().socket).toEqual({ status: 'closed', reason: 'not_found' })
  })
})

describe('what happened before', () => {
  test('is shown at once when it has all come, and is no film', async () => {
    using opened = await open({ seq: 200, isLive: false })
    const { chat, end, shown } = opened
    await waitFor(() => shown() > 0)
    const before = shown()
    for (let seq = 1; seq <= 199; seq += 2) {
      end.tell(taken(`${seq}`, `m${seq}`, seq))
      end.tell(done(seq + 1))
      await Promise.resolve()
    }
    expect(shown()).toBe(before)
    expect(chat.get().isLoaded).toBe(false)
    end.tell({ event_type: 'caught_up', seq: 200 })
    await waitFor(() => shown() > before)
    expect(chat.get().view.turns).toHaveLength(100)
    expect(chat.get()).toMatchObject({ isLoaded: true, wasAway: false })
  })

  test('is the same state until something changes', async () => {
    using opened = await open()
    const { chat, end } = opened
    const before = chat.get()
    expect(chat.get()).toBe(before)
    end.tell(taken('Hi', 'm1', 1))
    expect(chat.get()).not.toBe(before)
  })

  test('many events in a frame are one change to show', async () => {
    using opened = await open()
    const { end, shown } = opened
    await waitFor(() => shown() > 0)
    const before = shown()
    end.tell(taken('Hi', 'm1', 1))
    for (let seq = 2; seq < 50; seq += 1) end.tell({ event_type: 'reasoning', content: 'x', seq })
    await waitFor(() => shown() > before)
    expect(shown()).toBe(before + 1)
  })
})

test('a decision resolves when it is taken', async () => {
  using opened = await open()
  const { chat, end } = opened
  const deciding = chat.decide('a1', { type: 'approve' })
  expect(opened.said('hitl_decision')).toMatchObject([{ payload: { approval_id: 'a1' } }])
  end.tell({
    ...{ event_type: 'approval_decided', approval_id: 'a1', via: 'person', decided_by: 'ana' },
    ...{ decision: { type: 'approve', message: '' }, seq: 1 },
  })
  await deciding
})
