import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { useWords } from '../../words/use-words.ts'
import { useChat } from '../chat-context.ts'
import { feedbackWords } from './feedback-words.ts'
import { ReasonForm } from './reason-form.tsx'
import { useFeedback } from './use-feedback.ts'

const icons = { up: ThumbsUp, down: ThumbsDown }

/** Whether an answer was any good. A second click takes it back. */
export function Thumbs({ seq }: { seq: number }) {
  const words = useWords(feedbackWords)
  const { session_id } = useChat()
  const { feedback, isPending, write } = useFeedback(session_id, seq)
  const [isAsking, setAsking] = useState(false)
  const rating = feedback?.rating

  async function choose(chosen: 'up' | 'down') {
    const isTakenBack = chosen === rating
    const isTaken = await write(isTakenBack ? undefined : { rating: chosen })
    if (isTaken) setAsking(!isTakenBack)
  }

  async function tell(reason: string) {
    if (rating && (await write({ rating, reason }))) setAsking(false)
  }

  return (
    <>
      {(['up', 'down'] as const).map((each) => {
        const Icon = icons[each]
        const isChosen = rating === each
        return (
          <IconButton
            key={each}
            size="small"
            label={words[each]}
            aria-pressed={isChosen}
            // What is said anew would take the place of a reason that has not come yet.
            disabled={feedback === undefined || isPending}
            onClick={() => void choose(each)}
            className={cx('!min-w-7', isChosen && 'text-accent')}
          >
            <Icon className="size-3.5" fill={isChosen ? 'currentColor' : 'none'} />
          </IconButton>
        )
      })}
      {rating && isAsking && (
        <ReasonForm
          rating={rating}
          busy={isPending}
          onSend={(reason) => void tell(reason)}
          onClose={() => setAsking(false)}
        />
      )}
      {feedback?.reason && !isAsking && (
        <q className="order-last basis-full px-2 text-soft italic [overflow-wrap:anywhere]">
          {feedback.reason}
        </q>
      )}
    </>
  )
}
