import { memo, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { chatWords } from '../chat-words.ts'
import { Thumbs } from '../feedback/thumbs.tsx'
import { TurnKeyContext } from '../jump.ts'
import type { Turn } from '../log/turn.ts'
import { AskAgainProvider } from './ask-again.ts'
import { MatchHint } from './match-hint.tsx'
import { PartList } from './part-list.tsx'

interface TurnViewProps {
  turn: Turn
  isLast: boolean
  isStopping: boolean
  onEdit(text: string): void
  onAgain(text: string): void
}

/** A question and everything that came of it. */
export const TurnView = memo(function TurnView(props: TurnViewProps) {
  const { turn, isLast, isStopping, onEdit, onAgain } = props
  const words = useWords(chatWords)
  const { message } = turn
  const mayAsk = message !== undefined && isLast && turn.ended_at !== undefined
  const askAgain = mayAsk ? () => onAgain(message.content) : undefined
  return (
    <article className="flex flex-col gap-3 py-3">
      {message && <UserMessage>{message.content}</UserMessage>}
      {turn.match && <MatchHint match={turn.match} turnKey={turn.key} />}
      <div className="flex min-w-0 flex-col gap-3">
        <h3 className="sr-only">{words.assistant}</h3>
        <TurnKeyContext value={turn.key}>
          <AskAgainProvider value={askAgain}>
            <PartList parts={turn.parts} />
          </AskAgainProvider>
        </TurnKeyContext>
        <Activity turn={turn} isStopping={isStopping} />
        {turn.ended_at !== undefined && (
          <Footer turn={turn}>
            {message && <Thumbs seq={turn.seq} />}
            {message && isLast && (
              <>
                <Button kind="quiet" size="small" onClick={() => onAgain(message.content)}>
                  {words.retry}
                </Button>
                <Button kind="quiet" size="small" onClick={() => onEdit(message.content)}>
                  {words.edit}
                </Button>
              </>
            )}
          </Footer>
        )}
      </div>
    </article>
  )
})

export function UserMessage({ children }: { children: ReactNode }) {
  const words = useWords(chatWords)
  return (
    <div className="max-w-[85%] self-end rounded-2xl rounded-br-md bg-accent-soft px-4 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
      <h3 className="sr-only">{words.you}</h3>
      {children}
    </div>
  )
}

/** That something is going on, where nothing else says it. */
function Activity({ turn, isStopping }: { turn: Turn; isStopping: boolean }) {
  const words = useWords(chatWords)
  if (turn.status === 'stopped') return <p className="text-sm text-soft">{words.stopped}</p>
  if (turn.ended_at !== undefined || turn.status === 'waiting') return null
  const last = turn.parts.at(-1)
  const isSpeaking = last?.kind === 'text' && !last.isFinal
  const text = isStopping ? words.stopping : last === undefined ? words.thinking : words.working
  if (isSpeaking && !isStopping) return null
  return (
    <p role="status" className="flex items-center gap-2 text-sm text-soft">
      <Spinner /> {text}
    </p>
  )
}

function Footer({ turn, children }: { turn: Turn; children?: ReactNode }) {
  const words = useWords(chatWords)
  const formats = useFormats()
  const answer = turn.parts.flatMap((part) => (part.kind === 'text' ? [part.content] : []))
  const { usage, ended_at = turn.started_at } = turn
  const tokens = usage && usage.prompt_tokens + usage.completion_tokens
  const saved = usage && usage.always_prompt_tokens - usage.prompt_tokens
  return (
    <footer className="flex flex-wrap items-center gap-x-1 text-[13px] text-soft">
      {answer.length > 0 && <CopyButton text={answer.join('\n\n')} label={words.copyAnswer} />}
      {children}
      <span className="flex-1" />
      <span
        title={saved !== undefined && saved > 0 ? words.saved(formats.number(saved)) : undefined}
      >
        {[
          formats.duration(ended_at - turn.started_at),
          tokens ? words.tokens(formats.number(tokens)) : '',
          usage?.cost ? words.cost(formats.amount(usage.cost)) : '',
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </footer>
  )
}
