import { Wrench, X } from 'lucide-react'
import { Fragment, useState } from 'react'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { useChat } from '../chat-context.ts'
import type { TurnMatch } from '../log/turn.ts'
import { hideHint, isHintHidden } from './hidden-hints.ts'
import { matchWords } from './match-words.ts'

const shownMax = 3

/** Which of the words brought tools into the turn, until somebody does not want to see it. */
export function MatchHint({ match, turnKey }: { match: TurnMatch; turnKey: string }) {
  const words = useWords(matchWords)
  const { session_id } = useChat()
  const hint = `${session_id}:${turnKey}`
  const [isHidden, setHidden] = useState(() => isHintHidden(hint))
  if (isHidden || match.matches.length === 0) return null
  return (
    <p className="-mt-2 flex max-w-[85%] items-start gap-1.5 self-end text-[13px] text-soft">
      <Wrench aria-hidden="true" className="mt-1.5 size-3.5 shrink-0" />
      <span className="min-w-0 py-0.5 [overflow-wrap:anywhere]">
        <MatchText match={match} />
      </span>
      <button
        type="button"
        aria-label={words.dismiss}
        title={words.dismiss}
        onClick={() => {
          hideHint(hint)
          setHidden(true)
        }}
        className="grid size-6 shrink-0 place-items-center rounded-md hover:bg-raised hover:text-ink"
      >
        <X aria-hidden="true" className="size-3.5" />
      </button>
    </p>
  )
}

function MatchText({ match }: { match: TurnMatch }) {
  const words = useWords(matchWords)
  const { matches, matched } = match
  const known = matches.filter(({ server_name }) => server_name !== undefined)
  if (matched === 0 && known.length === 0) {
    return <PlainText text={words.unknown(matches[0]?.word ?? '')} />
  }
  const shown = (known.length > 0 ? known : matches).slice(0, shownMax)
  return (
    <>
      {words.matched}{' '}
      {shown.map(({ by, word, server_id, server_name }, i) => (
        <Fragment key={`${by} ${server_id} ${word}`}>
          {i > 0 && words.between}
          {server_name !== undefined && (
            <em className="font-medium not-italic text-ink">
              <PlainText text={server_name} />
            </em>
          )}
          <PlainText text={words.by[by](word)} />
        </Fragment>
      ))}
      {matches.length > shown.length && `${words.between}…`}
      {toOffer(match, words)}
    </>
  )
}

type Words = (typeof matchWords)['en']

/** What the match has brought. Where everything is offered in any case, it has brought nothing. */
function toOffer({ tool_mode, matched, offered }: TurnMatch, words: Words): string {
  if (matched === 0) return words.none
  if (tool_mode === 'always') return words.all(offered)
  if (tool_mode === 'search') return words.search
  return words.offered(Math.min(matched, offered))
}
