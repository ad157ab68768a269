import { X } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { useWords } from '../../words/use-words.ts'
import type { QueuedMessage } from '../chat-session.ts'
import { chatWords } from '../chat-words.ts'

interface QueueProps {
  queue: readonly QueuedMessage[]
  onEdit(message: QueuedMessage): void
  onRemove(id: string): void
}

/** Messages that wait for the end of the turn. */
export function Queue({ queue, onEdit, onRemove }: QueueProps) {
  const words = useWords(chatWords)
  if (queue.length === 0) return null
  return (
    <ul aria-label={words.queued} className="mb-2 flex flex-col gap-1">
      {queue.map((message) => (
        <li
          key={message.id}
          className="flex items-center gap-2 rounded-lg bg-raised py-0.5 pr-1 pl-3 text-sm"
        >
          <span className="text-soft">{words.queued}</span>
          <button
            type="button"
            title={words.editQueued}
            className="min-w-0 flex-1 truncate text-left"
            onClick={() => onEdit(message)}
          >
            {message.text}
          </button>
          <IconButton size="small" label={words.removeQueued} onClick={() => onRemove(message.id)}>
            <X className="size-4" />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
