import { X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { formWords } from '../form-words.ts'
import { type Entry, isEverything, type Offered, remainders } from './tool-choice.ts'

interface OtherEntriesProps {
  entries: readonly Entry[]
  tools: readonly Offered[]
  onChange(entries: readonly Entry[]): void
}

/** Patterns, and tools whose server is away: kept until somebody takes them out. */
export function OtherEntries({ entries, tools, onChange }: OtherEntriesProps) {
  const words = useWords(formWords)
  const others = remainders(entries, tools)
  if (isEverything(entries)) return null
  return (
    <>
      {others.length > 0 && (
        <div>
          <h3 className="mb-1 text-[13px] font-medium text-soft">{words.others}</h3>
          <ul className="flex flex-wrap gap-1.5">
            {others.map((entry) => (
              <li
                key={nameOf(entry)}
                className="flex items-center gap-1 rounded-full border border-line bg-raised pl-2.5 font-mono text-[13px]"
              >
                <PlainText text={nameOf(entry)} />
                <IconButton
                  size="small"
                  label={words.remove(nameOf(entry))}
                  onClick={() => onChange(entries.filter((one) => one !== entry))}
                  className="!min-w-7"
                >
                  <X className="size-3.5" />
                </IconButton>
              </li>
            ))}
          </ul>
        </div>
      )}
      <AddPattern onAdd={(entry) => onChange([...entries, entry])} />
    </>
  )
}

function AddPattern({ onAdd }: { onAdd(entry: Entry): void }) {
  const words = useWords(formWords)
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)

  function add() {
    const entry = parseEntry(text)
    setWrong(!entry)
    if (!entry) return
    onAdd(entry)
    setText('')
  }

  return (
    <details>
      <summary className="text-[13px] text-soft">{words.pattern}</summary>
      <div className="mt-1 flex flex-wrap items-start gap-2">
        <TextField
          className="min-w-48 flex-1"
          label={<span className="sr-only">{words.pattern}</span>}
          hint={words.patternHint}
          problem={isWrong ? words.badPattern : undefined}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
        <Button className="mt-[1.625rem]" onClick={add}>
          {words.add}
        </Button>
      </div>
    </details>
  )
}

const nameOf = ({ server_id, tool }: Entry) => `${server_id}/${tool}`

function parseEntry(text: string): Entry | undefined {
  const [, server_id, tool] = /^\s*([^/\s]+)\/(\S.*?)\s*$/.exec(text) ?? []
  return server_id && tool ? { server_id, tool } : undefined
}
