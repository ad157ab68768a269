import { useProblem } from '../api/use-problem.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useWords } from '../words/use-words.ts'
import { useChat } from './chat-context.ts'
import type { PendingMessage } from './chat-session.ts'
import { chatWords } from './chat-words.ts'
import { UserMessage } from './turn/turn-view.tsx'

/** A message that the server does not have yet, and why. */
export function PendingView({ message }: { message: PendingMessage }) {
  const words = useWords(chatWords)
  const chat = useChat()
  const toProblem = useProblem()
  const { message_id, text, error } = message
  return (
    <div className="flex flex-col gap-2 py-3">
      <UserMessage>{text}</UserMessage>
      {error === undefined ? (
        <p role="status" className="self-end text-[13px] text-soft">
          {words.sending}
        </p>
      ) : (
        <Notice
          tone="bad"
          title={words.notSent}
          action={
            <>
              <Button size="small" kind="primary" onClick={() => chat.retry(message_id)}>
                {words.again}
              </Button>
              <Button size="small" onClick={() => chat.dismiss(message_id)}>
                {words.discard}
              </Button>
            </>
          }
        >
          {toProblem(error)}
        </Notice>
      )}
    </div>
  )
}
