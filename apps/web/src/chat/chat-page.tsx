import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { PanelLeft, PanelRight } from 'lucide-react'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { QueriesContext } from '../data/citations/queries-context.ts'
import { coversChat } from '../preferences/covers-chat.ts'
import { usePreference, usePreferences } from '../preferences/use-preferences.ts'
import { IconButton } from '../ui/button.tsx'
import { createLateView } from '../ui/create-part.tsx'
import { cx } from '../ui/cx.ts'
import { Spinner } from '../ui/spinner.tsx'
import { useWords } from '../words/use-words.ts'
import { useChatBook } from './book-context.ts'
import { ChatProvider } from './chat-context.ts'
import type { ChatSession } from './chat-session.ts'
import { chatWords } from './chat-words.ts'
import { AgentChip, ApprovalChip } from './composer/chips.tsx'
import { Composer, type ComposerHandle } from './composer/composer.tsx'
import { toOff } from './composer/server-switches.ts'
import { SessionTools } from './composer/session-tools.tsx'
import { ToolChip } from './composer/tool-chip.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { Conversation } from './conversation.tsx'
import { JumpRoom } from './jump-room.tsx'
import { isTurnAsking } from './log/asking.ts'
import { NewChat } from './new-chat.tsx'
import { SessionList } from './session-list.tsx'
import { toApproval } from './turn/to-approval.ts'
import { useBeginning } from './use-beginning.ts'
import { useChatState } from './use-chat-state.ts'

const SidePanel = createLateView(() =>
  import('./side-panel.tsx').then(({ SidePanel }) => SidePanel),
)

/** The list of chats, the chat, and what belongs to it. */
export function ChatPage() {
  const { sessionId } = useParams({ strict: false })
  const words = useWords(chatWords)
  const preferences = usePreferences()
  const list = usePreference('sessionList')
  useChatKeys()
  return (
    <div className="relative flex h-full">
      {list === 'open' && (
        <aside className="absolute inset-y-0 left-0 z-20 w-[260px] shrink-0 border-r border-line bg-panel max-md:pt-12 md:static">
          <SessionList
            current={sessionId}
            onChoose={() => coversChat('sessionList') && preferences.set('sessionList', 'closed')}
          />
        </aside>
      )}
      <section className="relative flex min-w-0 flex-1 flex-col">
        <span className="absolute top-2 left-2 z-30 rounded-lg bg-panel/90">
          <IconButton
            label={words.toggleList}
            aria-pressed={list === 'open'}
            onClick={() => preferences.set('sessionList', list === 'open' ? 'closed' : 'open')}
          >
            <PanelLeft className="size-4" />
          </IconButton>
        </span>
        {sessionId === undefined ? <Beginning /> : <Opened key={sessionId} id={sessionId} />}
      </section>
    </div>
  )
}

function useChatKeys(): void {
  const preferences = usePreferences()
  const navigate = useNavigate()
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (!event.metaKey && !event.ctrlKey) return
      const key = event.key.toLowerCase()
      const flip = (name: 'sessionList' | 'sidePanel') =>
        preferences.set(name, preferences.get(name) === 'open' ? 'closed' : 'open')
      if (key === 'b' && !event.shiftKey) flip('sessionList')
      else if (key === '.') flip('sidePanel')
      else if (key === 'o' && event.shiftKey) void navigate({ to: '/c' })
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [preferences, navigate])
}

/** A chat that has no messages yet is nowhere but here. */
function Beginning() {
  const [assistant, setAssistant] = useState<string>()
  const [off, setOff] = useState<readonly string[]>([])
  const composer = useRef<ComposerHandle>(null)
  const settings = {
    ...(assistant !== undefined && { assistant_id: assistant }),
    ...(off.length > 0 && { servers_off: [...off] }),
  }
  const { say, stop, removeQueued, ...beginning } = useBeginning(settings, (text) => {
    composer.current?.add(text)
    return composer.current !== null
  })
  useAsked(composer)

  return (
    <>
      <NewChat onAsk={(text) => composer.current?.add(text)} />
      <Composer
        ref={composer}
        lastMessage={undefined}
        {...beginning}
        onSend={say}
        onSteer={say}
        onStop={stop}
        onEscape={stop}
        onRemoveQueued={removeQueued}
      >
        <AgentChip chosen={assistant} onChoose={setAssistant} />
        <ToolChip
          assistant_id={assistant}
          off={off}
          onSwitch={(change) => setOff((now) => toOff(now, [change]))}
        />
      </Composer>
    </>
  )
}

/** What is written and not sent stays while other pages are shown. */
function useDraft(key: string) {
  const { drafts } = useChatBook()
  return {
    draft: drafts.get(key),
    onDraft: (text: string) => drafts.set(key, text),
  }
}

/** Fills in what the address asks; it is for a person to send it. */
function useAsked(composer: RefObject<ComposerHandle | null>): void {
  const { ask } = useSearch({ from: '/c' })
  const navigate = useNavigate()
  useEffect(() => {
    if (ask === undefined) return
    composer.current?.add(ask)
    void navigate({ to: '/c', search: {}, replace: true })
  }, [ask, composer, navigate])
}

function Opened({ id }: { id: string }) {
  const book = useChatBook()
  const chat = useMemo(() => book.open(id), [book, id])
  return (
    <ChatProvider value={chat}>
      <JumpRoom>
        <Chat chat={chat} />
      </JumpRoom>
    </ChatProvider>
  )
}

function Chat({ chat }: { chat: ChatSession }) {
  const words = useWords(chatWords)
  const preferences = usePreferences()
  const panel = usePreference('sidePanel')
  const state = useChatState(chat)
  const { begun } = useChatBook()
  const composer = useRef<ComposerHandle>(null)
  const room = useRef<HTMLDivElement>(null)
  const { turns, status } = state.view
  const isSending = state.pending.some(({ error }) => error === undefined)
  const isBusy = status === 'running' || status === 'waiting_approval' || isSending

  const edit = useCallback((text: string) => composer.current?.add(text), [])

  useEffect(() => {
    if (begun.delete(chat.session_id)) composer.current?.focus()
  }, [begun, chat])

  // What was stopped before it was sent is there again.
  useEffect(() => {
    const texts = state.takenBack.length > 0 ? chat.collect() : []
    if (texts.length > 0) composer.current?.add(texts.join('\n\n'))
  }, [state.takenBack, chat])

  function onEscape() {
    if (isTurnAsking(turns.at(-1)) && room.current) toApproval(room.current)
    else chat.stop()
  }

  return (
    <div ref={room} className="flex min-h-0 flex-1">
      {/* Where turns reach the edges, the buttons there have a strip of their own. */}
      <div
        className={cx('flex min-w-0 flex-1 flex-col', panel === 'open' ? 'pt-12' : 'max-xl:pt-12')}
      >
        <ConnectionBar state={state} />
        <span className="absolute top-2 right-2 z-30 rounded-lg bg-panel/90">
          <IconButton
            label={words.togglePanel}
            aria-pressed={panel === 'open'}
            onClick={() => preferences.set('sidePanel', panel === 'open' ? 'closed' : 'open')}
          >
            <PanelRight className="size-4" />
          </IconButton>
        </span>
        {state.isLoaded || turns.length > 0 || state.pending.length > 0 ? (
          <QueriesContext value={state.view.queries}>
            <Conversation state={state} onEdit={edit} onAgain={chat.send} />
          </QueriesContext>
        ) : (
          <div className="grid flex-1 place-items-center text-soft">
            <Spinner className="size-6" />
          </div>
        )}
        <Composer
          ref={composer}
          isBusy={isBusy}
          queue={state.queue}
          lastMessage={turns.at(-1)?.message?.content}
          {...useDraft(chat.session_id)}
          onSend={chat.send}
          onSteer={chat.steer}
          onStop={chat.stop}
          onEscape={onEscape}
          onRemoveQueued={chat.removeQueued}
        >
          <SessionTools />
          <ApprovalChip session_id={chat.session_id} />
        </Composer>
      </div>
      {panel === 'open' && (
        <aside className="absolute inset-y-0 right-0 z-20 w-80 shrink-0 border-l border-line bg-panel pt-2 lg:static">
          <SidePanel view={state.view} />
        </aside>
      )}
    </div>
  )
}
