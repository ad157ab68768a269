import type { ServerHealthChange } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { StateDot, type Tone } from '../../ui/badge.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { FaultText } from '../fault-text.tsx'
import { serversKey } from '../use-servers.ts'
import { type SpanState, stateOf, sumSpans, toSpans, type Window } from './health-spans.ts'
import { historyWords } from './history-words.ts'

const windowMs = 6 * 3_600_000
const everyMs = 10_000

/** How a server has fared: a bar of the last hours, and each change. */
export function HealthHistory({ server_id }: { server_id: string }) {
  const words = useWords(historyWords)
  const client = useClient()
  const [isOpen, setOpen] = useState(false)
  const query = useQuery({
    queryKey: [serversKey, 'health-history', server_id],
    queryFn: ({ signal }) => client.servers.health(server_id, { signal }),
    refetchInterval: everyMs,
  })
  const to = Math.max(query.dataUpdatedAt, query.data?.changes[0]?.at ?? 0)
  return (
    <QueryView query={query}>
      {({ changes }) =>
        changes.length === 0 ? (
          <p className="text-[13px] text-soft">{words.empty}</p>
        ) : (
          <div className="flex flex-col gap-2">
            <Bars changes={changes} shown={toWindow(changes, to)} />
            <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
              <summary className="text-[13px] text-soft">{words.changes(changes.length)}</summary>
              <p className="mt-2 text-[13px] text-soft">{words.about}</p>
              {isOpen && <ChangeList changes={changes} />}
            </details>
          </div>
        )
      }
    </QueryView>
  )
}

/** The last hours, or what is known of them. */
function toWindow(changes: readonly ServerHealthChange[], to: number): Window {
  return { from: Math.max(to - windowMs, changes.at(-1)?.at ?? to), to }
}

interface BarsProps {
  changes: readonly ServerHealthChange[]
  shown: Window
}

/** One for each connection: that of all, or those of users. */
function Bars({ changes, shown }: BarsProps) {
  const words = useWords(historyWords)
  const formats = useFormats()
  const connections = [...Map.groupBy(changes, ({ user_id }) => user_id)]
  return connections.map(([user_id, of]) => {
    const whose = user_id === null ? words.all : words.ofUser(user_id)
    const isWhole = shown.to - shown.from === windowMs
    const title = isWhole ? words.lastHours : words.since(formats.time(shown.from))
    const told = connections.length > 1 ? words.titleOf(title, whose) : title
    return <Bar key={user_id ?? ''} changes={of} {...{ shown, whose }} title={told} />
  })
}

const fills: Record<SpanState, string> = {
  connected: 'bg-good',
  connecting: 'bg-wait',
  error: 'bg-bad',
  idle: 'bg-line',
}

function Bar({ changes, shown, title, whose }: BarsProps & { title: string; whose: string }) {
  const words = useWords(historyWords)
  const formats = useFormats()
  const spans = toSpans(changes, shown)
  const parts = sumSpans(spans).map(([state, ms]) =>
    words.part(words.states[state], formats.duration(ms)),
  )
  const said = parts.length === 0 ? words.unknown : parts.join(' · ')
  const share = (ms: number) => `${((ms / (shown.to - shown.from || 1)) * 100).toFixed(3)}%`
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap justify-between gap-x-4 text-[13px] text-soft">
        <span>{title}</span>
        <span>{said}</span>
      </p>
      <div
        role="img"
        aria-label={words.bar(whose, said)}
        className="relative h-3 overflow-hidden rounded-full border border-line"
      >
        {spans.map(({ state, from, to }) => (
          <span
            key={from}
            title={`${words.states[state]}: ${formats.time(from)} – ${formats.time(to)}`}
            className={`absolute inset-y-0 min-w-0.5 ${fills[state]}`}
            style={{ left: share(from - shown.from), width: share(to - from) }}
          />
        ))}
      </div>
    </div>
  )
}

const tones: Record<SpanState, Tone> = {
  connected: 'good',
  connecting: 'wait',
  error: 'bad',
  idle: 'plain',
}

function ChangeList({ changes }: { changes: readonly ServerHealthChange[] }) {
  const words = useWords(historyWords)
  const formats = useFormats()
  const isMany = changes.some(({ user_id }) => user_id !== changes[0]?.user_id)
  return (
    <ol className="mt-2 flex flex-col gap-1.5 text-[13px]">
      {changes.map((change, i) => {
        const { at, user_id, fault, message, connect_ms } = change
        const state = stateOf(change)
        const name = words.states[state]
        const before = changes.slice(i + 1).find((one) => one.user_id === user_id)
        const text = before ? words.fromTo(words.states[stateOf(before)], name) : name
        return (
          <li key={`${at} ${user_id} ${text}`} className="[overflow-wrap:anywhere]">
            <span className="flex flex-wrap items-center gap-x-2">
              <StateDot tone={tones[state]} text={text} />
              <span className="text-soft">
                {formats.day(at)} {formats.clock(at)}
              </span>
              {isMany && user_id !== null && <span>{words.ofUser(user_id)}</span>}
              {connect_ms !== undefined && (
                <span className="text-soft">{words.took(formats.duration(connect_ms))}</span>
              )}
            </span>
            {state === 'error' && message && <FaultText fault={fault} message={message} />}
          </li>
        )
      })}
    </ol>
  )
}
