import type { ToolView } from '@dataagent/schema'
import { Link } from '@tanstack/react-router'
import { useId, useMemo, useState } from 'react'
import { QueryView } from '../../api/query-view.tsx'
import { cx } from '../../ui/cx.ts'
import { controlClass } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useWords } from '../../words/use-words.ts'
import { formWords } from '../form-words.ts'
import { useOfferedTools } from '../use-groups.ts'
import { OtherEntries } from './other-entries.tsx'
import { ServerTools } from './server-tools.tsx'
import { countChosen, type Entry, everything, isEverything } from './tool-choice.ts'

interface ToolPickerProps {
  entries: readonly Entry[]
  onChange(entries: readonly Entry[]): void
}

/** Which tools belong to a group: of this platform and of every shared server. */
export function ToolPicker(props: ToolPickerProps) {
  const words = useWords(formWords)
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{words.tools}</legend>
      <QueryView query={useOfferedTools()}>
        {(tools) => <Picker {...props} tools={tools} />}
      </QueryView>
    </fieldset>
  )
}

/** More are shown folded. */
const openMax = 40

function Picker({ tools, entries, onChange }: ToolPickerProps & { tools: readonly ToolView[] }) {
  const words = useWords(formWords)
  const [text, setText] = useState('')
  const found = useMemo(() => search(tools, text), [tools, text])
  const servers = Map.groupBy(found, ({ server_id }) => server_id)
  const isAll = isEverything(entries)
  const count = countChosen(entries, tools)
  return (
    <>
      <Check
        label={words.everything}
        checked={isAll}
        onChange={(checked) => onChange(checked ? everything : [])}
      />
      {tools.length === 0 ? (
        <Notice action={<AddServer />}>{words.nothingOffered}</Notice>
      ) : (
        <>
          <input
            type="search"
            aria-label={words.search}
            placeholder={words.search}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className={controlClass}
          />
          <div
            className={cx(
              'max-h-96 overflow-y-auto rounded-xl border border-line',
              isAll && 'hidden',
            )}
          >
            {[...servers].map(([server_id, offered]) => (
              <ServerTools
                key={server_id}
                {...{ server_id, offered, entries, onChange }}
                all={tools}
                isOpen={text !== '' || tools.length <= openMax}
              />
            ))}
            {found.length === 0 && <p className="p-3 text-sm text-soft">{words.nothingFound}</p>}
          </div>
        </>
      )}
      <OtherEntries {...{ entries, tools, onChange }} />
      <p role="status" className="text-[13px] text-soft">
        {entries.length === 0 ? words.noTools : words.chosen(count)}
      </p>
    </>
  )
}

function search(tools: readonly ToolView[], text: string): readonly ToolView[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return tools
  return tools.filter(({ server_id, name, title = '', description }) =>
    `${server_id}/${name}\n${title}\n${description}`.toLowerCase().includes(wanted),
  )
}

function AddServer() {
  const words = useWords(formWords)
  return (
    <Link to="/tools" className="text-accent underline">
      {words.addServer}
    </Link>
  )
}

interface CheckProps {
  label: string
  checked: boolean
  onChange(checked: boolean): void
}

function Check({ label, checked, onChange }: CheckProps) {
  const id = useId()
  return (
    <span className="flex items-center gap-2 text-sm">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-accent"
      />
      <label htmlFor={id}>{label}</label>
    </span>
  )
}
