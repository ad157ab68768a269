import { useNow } from '../../clock/server-clock.ts'
import { useFormats } from '../../words/use-words.ts'

/** For how long something has been going on, once it is more than a moment. */
export function Elapsed({ since }: { since: number }) {
  const formats = useFormats()
  const now = useNow(1000)
  const ms = now - since
  return (
    <span className="shrink-0 text-[13px] text-soft tabular-nums">
      {ms >= 1000 ? formats.duration(Math.floor(ms / 1000) * 1000) : ''}
    </span>
  )
}
