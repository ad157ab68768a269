import type { SessionInfo } from '@dataagent/schema'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EllipsisVertical, MessageSquarePlus } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useClient } from '../api/api-context.ts'
import { QueryView } from '../api/query-view.tsx'
import { StateDot, type Tone } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { controlClass } from '../ui/field.tsx'
import { Menu } from '../ui/menu.tsx'
import { uiWords } from '../ui/ui-words.ts'
import { useWords } from '../words/use-words.ts'
import { chatWords } from './chat-words.ts'
import { useSessionActions } from './session-actions.tsx'

const pageSize = 50

interface SessionListProps {
  current: string | undefined
  /** Told when a chat is chosen, the one that is shown too. */
  onChoose(): void
}

/** The caller's chats, the newest first, with what each is doing. */
export function SessionList({ current, onChoose }: SessionListProps) {
  const words = useWords(chatWords)
  const common = useWords(uiWords)
  const [text, setText] = useState('')
  const query = useSessions(useDeferredValue(text.trim()))
  const { open, dialog } = useSessionActions({ current, onChoose })
  return (
    <nav aria-label={words.chats} className="flex h-full flex-col gap-2 p-2">
      <Link
        to="/c"
        onClick={onChoose}
        className="flex items-center gap-2 rounded-lg border border-line px-3 py-1.5 text-sm font-medium hover:bg-raised"
      >
        <MessageSquarePlus aria-hidden="true" className="size-4" />
        {words.newChat}
      </Link>
      <input
        type="search"
        aria-label={words.searchChats}
        placeholder={words.searchChats}
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.target.value)}
        className={controlClass}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <QueryView query={query}>
          {({ pages }) => {
            const sessions = pages.flatMap((page) => page.sessions)
            if (sessions.length === 0) {
              return (
                <p className="p-3 text-sm text-soft">
                  {text === '' ? words.noChats : words.noMatch}
                </p>
              )
            }
            return (
              <>
                {toAges(sessions).map(([age, group]) => (
                  <section key={age}>
                    <h2 className="px-2 pt-3 pb-1 text-xs font-medium text-soft">{words[age]}</h2>
                    <ul>
                      {group.map((session) => (
                        <Row key={session.session_id} {...{ session, onChoose }} onOpen={open} />
                      ))}
                    </ul>
                  </section>
                ))}
                {query.hasNextPage && (
                  <Button
                    kind="quiet"
                    size="small"
                    busy={query.isFetchingNextPage}
                    onClick={() => void query.fetchNextPage()}
                  >
                    {common.more}
                  </Button>
                )}
              </>
            )
          }}
        </QueryView>
      </div>
      {dialog}
    </nav>
  )
}

function useSessions(q: string) {
  const client = useClient()
  return useInfiniteQuery({
    queryKey: ['sessions', 'list', q],
    queryFn: ({ pageParam: offset, signal }) =>
      client.sessions.list({ limit: pageSize, offset, ...(q === '' ? {} : { q }) }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ offset, sessions, total }) =>
      offset + sessions.length < total ? offset + sessions.length : undefined,
    refetchInterval: 5000,
    placeholderData: keepPreviousData,
  })
}

const tones: Record<NonNullable<SessionInfo['status']>, Tone> = {
  ...{ idle: 'plain', running: 'info', waiting_approval: 'wait', error: 'bad' },
}

interface RowProps {
  session: SessionInfo
  onChoose(): void
  onOpen(what: 'rename' | 'fork' | 'markdown' | 'json' | 'remove', session: SessionInfo): void
}

function Row({ session, onChoose, onOpen }: RowProps) {
  const words = useWords(chatWords)
  const { session_id, title = words.untitled, status = 'idle' } = session
  return (
    <li className="group relative flex items-center">
      <Link
        to="/c/$sessionId"
        params={{ sessionId: session_id }}
        onClick={onChoose}
        className="flex min-w-0 flex-1 items-center gap-2 rounded-lg py-1.5 pr-9 pl-2 text-sm hover:bg-raised data-[status=active]:bg-accent-soft"
      >
        {status !== 'idle' && (
          <StateDot
            tone={tones[status]}
            text={words.status[status]}
            pulse={status === 'running'}
            hideText
          />
        )}
        <span className="truncate">{title}</span>
      </Link>
      <span className="absolute right-0">
        <Menu
          trigger={
            <IconButton
              size="small"
              label={words.menu(title)}
              className="opacity-60 group-hover:opacity-100"
            >
              <EllipsisVertical className="size-4" />
            </IconButton>
          }
          items={[
            { label: words.rename, onSelect: () => onOpen('rename', session) },
            { label: words.fork, onSelect: () => onOpen('fork', session) },
            { label: words.exportMarkdown, onSelect: () => onOpen('markdown', session) },
            { label: words.exportJson, onSelect: () => onOpen('json', session) },
            'line',
            { label: words.remove, danger: true, onSelect: () => onOpen('remove', session) },
          ]}
        />
      </span>
    </li>
  )
}

type Age = 'today' | 'week' | 'older'

/** By how long ago something happened in them. */
function toAges(sessions: readonly SessionInfo[]): [Age, SessionInfo[]][] {
  const today = new Date().setHours(0, 0, 0, 0)
  const week = today - 7 * 86_400_000
  const ageOf = ({ last_active }: SessionInfo): Age => {
    if (last_active >= today) return 'today'
    return last_active >= week ? 'week' : 'older'
  }
  const groups = Map.groupBy(sessions, ageOf)
  return (['today', 'week', 'older'] as const)
    .filter((age) => groups.has(age))
    .map((age) => [age, groups.get(age) ?? []])
}
