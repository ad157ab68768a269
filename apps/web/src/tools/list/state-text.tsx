import { useEffect, useState } from 'react'
import { StateDot } from '../../ui/badge.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { type ServerState, stateTones } from '../server-state.ts'
import { toolsWords } from '../tools-words.ts'

/** How a server fares, by colour and in words, kept up to date. */
export function StateText({ state }: { state: ServerState }) {
  const words = useWords(toolsWords)
  if (state.kind === 'retrying') return <Retrying at={state.at} />
  const text = state.kind === 'pending' ? words.pending(state.count) : words.states[state.kind]
  return (
    <span role="status">
      <StateDot tone={stateTones[state.kind]} text={text} pulse={state.kind === 'connecting'} />
    </span>
  )
}

/** Not read aloud each second. */
function Retrying({ at }: { at: number }) {
  const words = useWords(toolsWords)
  const formats = useFormats()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.ceil((at - now) / 1000)
  const later =
    seconds < 60 ? words.retrySeconds(seconds) : words.retryIn(formats.duration(at - now))
  const text = seconds > 0 ? later : words.retrying
  return <StateDot tone={stateTones.retrying} text={text} />
}
