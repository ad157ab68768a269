import type { SessionCreate } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useClient } from '../api/api-context.ts'
import { useProblem } from '../api/use-problem.ts'
import { loadMarkdown } from '../markdown/markdown.tsx'
import { useToaster } from '../ui/toasts.tsx'
import { useChatBook } from './book-context.ts'
import type { ChatSession, QueuedMessage } from './chat-session.ts'
import { newChat } from './drafts.ts'

interface Beginning {
  /** While the chat is being made: what is said meanwhile. */
  held?: readonly QueuedMessage[] | undefined
  making?: AbortController
  /** Once it is there, until it is shown. */
  chat?: ChatSession
  count: number
}

/** Why a chat is not made any more: the page that has wanted it is left. */
const isLeft = Symbol('left')

/**
 * A chat that has no messages yet: the first has it made, and what is said until it is there goes
 * to it too. What cannot be said, or is stopped, is given back.
 */
export function useBeginning(settings: SessionCreate, giveBack: (text: string) => boolean) {
  const client = useClient()
  const book = useChatBook()
  const navigate = useNavigate()
  const toaster = useToaster()
  const toProblem = useProblem()
  const queries = useQueryClient()
  const { current: now } = useRef<Beginning>({ count: 0 })
  const [queue, setQueue] = useState<readonly QueuedMessage[]>()

  function hold(held: readonly QueuedMessage[] | undefined): void {
    now.held = held
    setQueue(held)
  }

  function queueUp(before: readonly QueuedMessage[], text: string): void {
    now.count += 1
    hold([...before, { id: `q${now.count}`, text }])
  }

  async function begin(first: string): Promise<void> {
    hold([])
    loadMarkdown()
    const making = new AbortController()
    now.making = making
    const { signal } = making
    const texts = () => [first, ...(now.held ?? []).map(({ text }) => text)]
    const letGo = book.hold({ texts, leave: () => making.abort(isLeft) })
    try {
      const { session_id } = await client.sessions.create(settings, { signal })
      signal.throwIfAborted()
      now.chat = book.open(session_id)
    } catch (error) {
      if (signal.reason === isLeft) return hold(undefined)
      letGo()
      if (!signal.aborted) toaster.failed(toProblem(error))
      const text = texts().join('\n\n')
      if (!giveBack(text)) book.drafts.add(newChat, text)
      return hold(undefined)
    }
    for (const text of texts()) now.chat.send(text)
    letGo()
    hold([])
    await show(now.chat)
  }

  async function show({ session_id }: ChatSession): Promise<void> {
    // What was written meanwhile belongs to the chat that has begun.
    book.drafts.set(session_id, book.drafts.get(newChat) ?? '')
    book.drafts.set(newChat, '')
    if (document.activeElement instanceof HTMLTextAreaElement) book.begun.add(session_id)
    void queries.invalidateQueries({ queryKey: ['sessions'] })
    await navigate({ to: '/c/$sessionId', params: { sessionId: session_id } })
  }

  return {
    queue: queue ?? [],
    isBusy: queue !== undefined,
    draft: book.drafts.get(newChat),
    onDraft: (text: string) => book.drafts.set(now.chat?.session_id ?? newChat, text),
    say(text: string) {
      if (now.chat) now.chat.send(text)
      else if (now.held === undefined) void begin(text)
      else queueUp(now.held, text)
    },
    stop() {
      if (now.chat) now.chat.stop()
      else now.making?.abort()
    },
    removeQueued: (id: string) => hold(now.held?.filter((each) => each.id !== id)),
  }
}
