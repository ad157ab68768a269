import type { ToolView } from '@dataagent/schema'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { TickBox } from '../../ui/tick-box.tsx'
import { useWords } from '../../words/use-words.ts'
import { formWords } from '../form-words.ts'
import { ownServer } from '../use-groups.ts'
import {
  chooseAll,
  countChosen,
  type Entry,
  hasLater,
  isChosen,
  setLater,
  toggle,
} from './tool-choice.ts'

interface ServerToolsProps {
  server_id: string
  /** Those that fit the search. */
  offered: readonly ToolView[]
  /** Of all servers. */
  all: readonly ToolView[]
  entries: readonly Entry[]
  isOpen: boolean
  onChange(entries: readonly Entry[]): void
}

const shownMax = 200

/** The tools of one server: all at once, those of later too, or one by one. */
export function ServerTools(props: ServerToolsProps) {
  const { server_id, offered, all, entries, onChange } = props
  const words = useWords(formWords)
  const [isFolded, setFolded] = useState<boolean>()
  const isOpen = isFolded === undefined ? props.isOpen : !isFolded
  const tools = all.filter((tool) => tool.server_id === server_id)
  const name = server_id === ownServer ? words.own : server_id
  const count = countChosen(entries, offered)
  const isOn = count === offered.length
  const isLater = hasLater(entries, server_id)
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    <section aria-label={name} className="border-b border-line last:border-0">
      <header className="sticky top-0 flex flex-wrap items-center gap-2 bg-raised px-3 py-1.5">
        <TickBox
          label={words.selectAll(name)}
          state={isOn ? 'all' : count > 0 ? 'some' : 'none'}
          onChange={() => onChange(chooseAll(entries, { server_id, tools: offered, isOn: !isOn }))}
        />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={words.show(name)}
          onClick={() => setFolded(isOpen)}
          className="flex min-w-0 flex-1 items-center gap-1 text-left text-sm font-semibold"
        >
          <Icon aria-hidden="true" className="size-4 shrink-0" />
          <span className="truncate">
            <PlainText text={name} />
          </span>
          <span className="font-normal text-soft tabular-nums">
            {words.of(count, offered.length)}
          </span>
        </button>
        <Button
          size="small"
          kind={isLater ? 'plain' : 'quiet'}
          aria-pressed={isLater}
          onClick={() => onChange(setLater(entries, { server_id, tools, isOn: !isLater }))}
        >
          {words.later}
        </Button>
      </header>
      {isOpen && (
        <ul>
          {offered.slice(0, shownMax).map((tool) => (
            <ToolItem
              key={tool.name}
              tool={tool}
              checked={isChosen(entries, tool)}
              onToggle={() => onChange(toggle(entries, tool, all))}
            />
          ))}
          {offered.length > shownMax && (
            <li className="px-3 py-1 text-[13px] text-soft">+ {offered.length - shownMax}</li>
          )}
        </ul>
      )}
    </section>
  )
}

interface ToolItemProps {
  tool: ToolView
  checked: boolean
  onToggle(): void
}

function ToolItem({ tool, checked, onToggle }: ToolItemProps) {
  const words = useWords(formWords)
  const id = useId()
  return (
    <li className="flex items-start gap-2 px-3 py-1 hover:bg-raised">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={onToggle}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <label htmlFor={id} className="min-w-0 flex-1 cursor-pointer">
        <span className="font-mono text-[13px] [overflow-wrap:anywhere]">
          <PlainText text={tool.name} />
        </span>{' '}
        {tool.verdict === 'ask' && (
          <span title={words.asksHint}>
            <Badge tone="wait">{words.asks}</Badge>
          </span>
        )}
        <span className="block truncate text-[13px] text-soft">
          <PlainText text={tool.description.slice(0, 300)} />
        </span>
      </label>
    </li>
  )
}
