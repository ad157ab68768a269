import { ArrowUp, Square } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { IconButton } from '../../ui/button.tsx'
import { useWords } from '../../words/use-words.ts'
import { below } from '../below.ts'
import type { QueuedMessage } from '../chat-session.ts'
import { composerWords } from './composer-words.ts'
import { Queue } from './queue.tsx'
import { type Suggestion, Suggestions } from './suggestions.tsx'
import { replaceMention, tokenAt } from './token-at.ts'
import { useCommands, useSuggestions } from './use-suggestions.ts'

/** What others may do with the box. */
export interface ComposerHandle {
  /** Below what is written already. */
  add(text: string): void
  focus(): void
}

interface ComposerProps {
  ref?: Ref<ComposerHandle>
  isBusy: boolean
  queue: readonly QueuedMessage[]
  /** The last thing that was said, for ↑. */
  lastMessage: string | undefined
  /** What was written here before. */
  draft: string | undefined
  onDraft(text: string): void
  onSend(text: string): void
  onSteer(text: string): void
  onStop(): void
  /** Esc, while something is under way. */
  onEscape(): void
  onRemoveQueued(id: string): void
  /** Chips below the box: agent, tools, approvals. */
  children?: ReactNode
}

const heightMax = 240

/** Where messages are written. */
export function Composer(props: ComposerProps) {
  const { isBusy, queue, lastMessage, draft = '', onSend, onSteer, onStop, onRemoveQueued } = props
  const words = useWords(composerWords)
  const box = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const [text, setText] = useState(draft)
  const [caret, setCaret] = useState(0)
  const [at, setAt] = useState(0)
  const [isClosed, setClosed] = useState(false)
  const commands = useCommands({ stop: onStop })
  const token = isClosed ? undefined : tokenAt(text, caret)
  const suggestions = useSuggestions(token)
  const isOpen = suggestions.length > 0

  function write(next: string, caretAt = next.length) {
    setText(next)
    props.onDraft(next)
    setCaret(caretAt)
    setAt(0)
    setClosed(false)
  }

  function add(next: string) {
    const joined = below(text, next)
    if (joined !== text) write(joined)
    box.current?.focus()
  }
  useImperativeHandle(props.ref, () => ({ add, focus: () => box.current?.focus() }))

  // biome-ignore lint/correctness/useExhaustiveDependencies: its height follows what is written
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${Math.min(element.scrollHeight, heightMax)}px`
  }, [text])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret is set after the text is
  useLayoutEffect(() => {
    if (box.current && document.activeElement === box.current) {
      box.current.setSelectionRange(caret, caret)
    }
  }, [text])

  function choose(suggestion: Suggestion) {
    if (!token) return
    if (token.kind === 'command') {
      write('')
      commands.run(suggestion.id)
    } else {
      const replaced = replaceMention(text, token, suggestion.label.slice(1))
      write(replaced.text, replaced.caret)
    }
  }

  function submit(how: (message: string) => void) {
    const message = text.trim()
    if (message === '') return
    how(message)
    write('')
  }

  /** Whether the key was for the list of suggestions. */
  function onListKey(key: string): boolean {
    if (!isOpen) return false
    const chosen = suggestions[at]
    if (key === 'ArrowDown') setAt((at + 1) % suggestions.length)
    else if (key === 'ArrowUp') setAt((at - 1 + suggestions.length) % suggestions.length)
    else if (key === 'Escape') setClosed(true)
    else if ((key === 'Enter' || key === 'Tab') && chosen) choose(chosen)
    else return false
    return true
  }

  function onBoxKey(event: KeyboardEvent): boolean {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(isBusy ? onSteer : onSend)
    else if (event.key === 'Enter' && !event.shiftKey) submit(onSend)
    else if (event.key === 'Escape' && isBusy) {
      if (!event.repeat) props.onEscape()
    } else if (event.key === 'ArrowUp' && text === '' && lastMessage !== undefined) add(lastMessage)
    else return false
    return true
  }

  function onKey(event: KeyboardEvent<HTMLTextAreaElement>) {
    // While an input method is choosing characters the keys are its own.
    if (event.nativeEvent.isComposing) return
    if (onListKey(event.key) || onBoxKey(event)) event.preventDefault()
  }

  return (
    <div className="mx-auto w-full max-w-3xl px-4 pb-3">
      <Queue
        queue={queue}
        onRemove={onRemoveQueued}
        onEdit={(message) => {
          onRemoveQueued(message.id)
          add(message.text)
        }}
      />
      {isOpen && (
        <Suggestions
          id={listId}
          label={words.suggestions}
          suggestions={suggestions}
          at={at}
          onChoose={choose}
        />
      )}
      <div
        data-tour="composer"
        className="rounded-2xl border border-line bg-panel p-2 shadow-sm focus-within:border-accent"
      >
        <textarea
          ref={box}
          rows={1}
          role="combobox"
          aria-label={words.label}
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen ? `${listId}-${at}` : undefined}
          placeholder={isBusy ? words.placeholderBusy : words.placeholder}
          value={text}
          onChange={({ target }) => write(target.value, target.selectionStart)}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          onKeyDown={onKey}
          maxLength={200_000}
          className="block w-full resize-none bg-transparent px-2 py-1.5 outline-none"
        />
        <div className="flex flex-wrap items-center gap-1">
          {props.children}
          <span className="ml-auto flex gap-1">
            {isBusy && (
              <IconButton label={words.stop} kind="plain" onClick={onStop}>
                <Square className="size-4 fill-current" />
              </IconButton>
            )}
            <IconButton
              label={isBusy ? words.queue : words.send}
              kind="primary"
              disabled={text.trim() === ''}
              onClick={() => submit(onSend)}
            >
              <ArrowUp className="size-4" />
            </IconButton>
          </span>
        </div>
      </div>
    </div>
  )
}
