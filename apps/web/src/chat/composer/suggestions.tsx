import { cx } from '../../ui/cx.ts'
import { PlainText } from '../../ui/plain-text.tsx'

export interface Suggestion {
  id: string
  label: string
  about: string
}

interface SuggestionsProps {
  id: string
  label: string
  suggestions: readonly Suggestion[]
  /** Which one Enter would take. */
  at: number
  onChoose(suggestion: Suggestion): void
}

/** What fits what is being written, above the box. The keys stay in the box. */
export function Suggestions({ id, label, suggestions, at, onChoose }: SuggestionsProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      tabIndex={-1}
      className="mb-2 max-h-64 overflow-y-auto rounded-xl border border-line bg-panel p-1 shadow-float"
    >
      {suggestions.map((suggestion, i) => (
        <button
          key={suggestion.id}
          id={`${id}-${i}`}
          type="button"
          role="option"
          aria-selected={i === at}
          tabIndex={-1}
          // The box keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(suggestion)}
          className={cx(
            'flex w-full items-baseline gap-3 rounded-lg px-2.5 py-1.5 text-left text-sm',
            i === at && 'bg-raised',
          )}
        >
          <span className="shrink-0 font-medium">
            <PlainText text={suggestion.label} />
          </span>
          <span className="min-w-0 truncate text-[13px] text-soft">
            <PlainText text={suggestion.about} />
          </span>
        </button>
      ))}
    </div>
  )
}
