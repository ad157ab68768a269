import type { SocketState } from '@dataagent/client'
import { useEffect, useRef, useState } from 'react'
import { useFormats, useWords } from '../words/use-words.ts'
import type { ChatState } from './chat-session.ts'
import { chatWords } from './chat-words.ts'

const caughtUpMs = 4000

/** What there is to know of the connection; nothing while it is well. */
export function ConnectionBar({ state }: { state: ChatState }) {
  const words = useWords(chatWords)
  const { socket, isLoaded, wasAway } = state
  const [isBack, setBack] = useState(false)
  /** Who opens a chat that is well is told nothing of how it was before. */
  const wasLive = useRef(socket.status === 'live')

  useEffect(() => {
    const isNew = !wasLive.current
    wasLive.current = socket.status === 'live'
    if (!wasAway || !isNew || socket.status !== 'live') return
    setBack(true)
    const timer = setTimeout(() => setBack(false), caughtUpMs)
    return () => clearTimeout(timer)
  }, [wasAway, socket.status])

  if (socket.status === 'live') {
    return isBack ? <Bar tone="good">{words.connection.caughtUp}</Bar> : null
  }
  if (socket.status === 'closed') {
    return <Bar tone="bad">{closedWords(socket, words.connection)}</Bar>
  }
  if (socket.status === 'waiting') return <Waiting ms={socket.ms} refusal={state.refusal} />
  return isLoaded ? <Bar tone="wait">{words.connection[socket.status]}</Bar> : null
}

function closedWords(
  { reason }: Extract<SocketState, { status: 'closed' }>,
  words: (typeof chatWords)['en']['connection'],
): string {
  if (reason === 'unauthenticated' || reason === 'forbidden' || reason === 'not_found') {
    return words[reason]
  }
  return words.closed
}

function Waiting({ ms, refusal }: { ms: number; refusal: ChatState['refusal'] }) {
  const words = useWords(chatWords)
  const formats = useFormats()
  const [left, setLeft] = useState(ms)
  useEffect(() => {
    setLeft(ms)
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1000)), 1000)
    return () => clearInterval(timer)
  }, [ms])
  const time = formats.duration(Math.ceil(left / 1000) * 1000)
  const { limit, max } = refusal?.details ?? {}
  if (limit === 'ws_max_sockets_per_user') {
    return <Bar tone="bad">{words.connection.tooMany(String(max), time)}</Bar>
  }
  return <Bar tone="wait">{words.connection.waiting(time)}</Bar>
}

const tones = {
  good: 'bg-good-soft text-good',
  wait: 'bg-wait-soft text-wait',
  bad: 'bg-bad-soft text-bad',
}

function Bar({ tone, children }: { tone: keyof typeof tones; children: string }) {
  return (
    <p
      role={tone === 'bad' ? 'alert' : 'status'}
      className={`px-4 py-1.5 text-center text-sm ${tones[tone]}`}
    >
      {children}
    </p>
  )
}
