import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { useDeferredValue, useState } from 'react'
import { useClient, useMe } from '../api/api-context.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useWords } from '../words/use-words.ts'
import { isOffered } from './is-offered.ts'
import { paletteWords } from './palette-words.ts'

/** One box from which everything is reached: pages, chats, servers. */
export function Palette({ onClose }: { onClose(): void }) {
  const words = useWords(paletteWords)
  const navigate = useNavigate()
  const { role } = useMe()
  const [text, setText] = useState('')
  const chats = useChats(useDeferredValue(text.trim()))

  function go(to: string) {
    onClose()
    void navigate({ to })
  }

  const pages = words.pages.filter(({ to }) => isOffered(to, role))
  return (
    <Dialog title={words.title} onClose={onClose} size="normal">
      <Command label={words.title} className="flex flex-col gap-3">
        <Command.Input
          autoFocus
          value={text}
          onValueChange={setText}
          placeholder={words.placeholder}
          className="w-full rounded-lg border border-line bg-back px-3 py-2 text-sm"
        />
        <Command.List className="max-h-96 overflow-y-auto">
          <Command.Empty className="p-3 text-sm text-soft">{words.nothing}</Command.Empty>
          <Command.Group heading={words.goTo} className={groupClass}>
            {pages.map(({ to, label }) => (
              <Item key={to} value={label} onSelect={() => go(to)} />
            ))}
          </Command.Group>
          {chats.length > 0 && (
            <Command.Group heading={words.chats} className={groupClass}>
              {chats.map(({ session_id, title }) => (
                <Command.Item
                  key={session_id}
                  value={session_id}
                  keywords={[text, title ?? '']}
                  onSelect={() => go(`/c/${session_id}`)}
                  className={itemClass}
                >
                  {title ?? words.untitled}
                </Command.Item>
              ))}
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </Dialog>
  )
}

const groupClass =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-soft'
const itemClass =
  'cursor-pointer truncate rounded-lg px-2.5 py-1.5 text-sm data-[selected=true]:bg-raised'

function Item({ value, onSelect }: { value: string; onSelect(): void }) {
  return (
    <Command.Item value={value} onSelect={onSelect} className={itemClass}>
      {value}
    </Command.Item>
  )
}

function useChats(q: string) {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['sessions', 'palette', q],
    queryFn: ({ signal }) =>
      client.sessions.list({ limit: 8, ...(q === '' ? {} : { q: q.slice(0, 200) }) }, { signal }),
  })
  return data?.sessions ?? []
}
