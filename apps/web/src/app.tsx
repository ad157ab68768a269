import { isClientError } from '@dataagent/client'
import type { Notice } from '@dataagent/schema'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { type Session, SessionContext } from './api/api-context.ts'
import { ChatBookContext } from './chat/book-context.ts'
import { createChatBook } from './chat/chat-book.ts'
import { createDrafts } from './chat/drafts.ts'
import { useLeaveWarning } from './chat/use-leave-warning.ts'
import { createServerClock, ServerClockContext } from './clock/server-clock.ts'
import { createLazyHighlight, HighlightContext } from './markdown/highlight-context.ts'
import { createAppRouter } from './router.tsx'
import { TopBar } from './shell/top-bar.tsx'
import { ConfirmOther } from './sign-in/confirm-other.tsx'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { hearSignOuts, tellSignOut } from './sign-in/sign-outs.ts'
import { useSignIn } from './sign-in/use-sign-in.ts'

type Connected = Extract<Notice, { event_type: 'connected' }>

/** The sign-in, or the pages of whoever is signed in. */
export function App() {
  const { client, state, asked, leaveAlone, enter, leave, left } = useSignIn()
  useEffect(() => hearSignOuts((person) => createDrafts(person).forget()), [])
  if (state.status !== 'signed_in') {
    return (
      <>
        <TopBar />
        <SignInPage client={client} state={state} onEnter={enter} />
      </>
    )
  }
  // Another person begins with nothing of the one before.
  const key = `${state.me.tenant_id}/${state.me.user_id}`
  return (
    <>
      <SignedIn key={key} client={client} me={state.me} signOut={leave} onLeft={left} />
      {asked && <ConfirmOther asked={asked} onEnter={enter} onClose={leaveAlone} />}
    </>
  )
}

interface SignedInProps extends Session {
  /** This person has signed out in another tab. */
  onLeft(): void
}

function SignedIn({ client, me, signOut: leave, onLeft }: SignedInProps) {
  const queries = useMemo(() => createQueries(), [])
  const { role } = me
  const router = useMemo(() => createAppRouter({ role }), [role])
  const highlight = useMemo(() => createLazyHighlight(), [])
  const clock = useMemo(() => createServerClock(), [])
  const { tenant_id, user_id } = me
  const drafts = useMemo(() => createDrafts({ tenant_id, user_id }), [tenant_id, user_id])
  const book = useMemo(() => {
    const refresh = refreshBy(queries)
    return createChatBook({
      ...{ client, drafts },
      onNotice(notice) {
        if (isConnected(notice)) clock.hear(notice.timestamp)
        refresh(notice)
      },
    })
  }, [client, drafts, queries, clock])
  useEffect(() => {
    drafts.forgetOthers()
    return book.closeAll
  }, [drafts, book])
  useEffect(
    () =>
      hearSignOuts((person) => {
        if (person.tenant_id !== tenant_id || person.user_id !== user_id) return
        book.forget()
        onLeft()
      }),
    [book, tenant_id, user_id, onLeft],
  )
  const session = useMemo<Session>(() => {
    async function signOut() {
      await leave()
      book.forget()
      tellSignOut(me)
    }
    return { client, me, signOut }
  }, [client, me, leave, book])
  useLeaveWarning(book)
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={queries}>
        <ServerClockContext value={clock}>
          <ChatBookContext value={book}>
            <HighlightContext value={highlight}>
              <RouterProvider router={router} />
            </HighlightContext>
          </ChatBookContext>
        </ServerClockContext>
      </QueryClientProvider>
    </SessionContext>
  )
}

function isConnected(notice: { event_type: string }): notice is Connected {
  return notice.event_type === 'connected'
}

/** What a notice speaks of is asked for again, on whichever page. */
function refreshBy(queries: QueryClient) {
  return ({ event_type }: { event_type: string }) => {
    if (event_type === 'mcp_servers_changed') {
      void queries.invalidateQueries({ queryKey: ['servers'] })
    }
    if (event_type === 'approval_changed') {
      void queries.invalidateQueries({ queryKey: ['approvals'] })
    }
  }
}

/** The client tries again by itself where that helps; the cache only keeps what it was given. */
function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        retry: (count, error) => count < 2 && isClientError(error, 'network_failed'),
      },
    },
  })
}
