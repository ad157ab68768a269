import { type ReactNode, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { fromDay } from '../../ui/day.ts'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import type { AuditSearch } from '../searches.ts'
import { auditWords } from './audit-words.ts'
import { isFiltered } from './filters.ts'

type Search = { [Name in keyof AuditSearch]?: AuditSearch[Name] | undefined }

interface FilterFormProps {
  /** Fields named as the address names them; days as `from` and `to`. */
  children: ReactNode
  /** Those that hold now. */
  filters: object
  /** What the address is like without any. */
  none: Search
  onApply(search: Search): void
}

/** Filters that are kept in the address. */
export function FilterForm(props: FilterFormProps) {
  // The fields begin anew where the address has changed by other means.
  return <Fields key={JSON.stringify(props.filters)} {...props} />
}

/** A choice holds at once, a text when it is sent. */
function Fields({ children, filters, none, onApply }: FilterFormProps) {
  const words = useWords(auditWords)
  const common = useWords(adminWords)
  const form = useRef<HTMLFormElement>(null)

  function apply() {
    if (!form.current) return
    const given = Object.fromEntries(
      [...new FormData(form.current)].map(([name, value]) => [
        ...[name, String(value).trim() || undefined],
      ]),
    ) as Record<string, string | undefined>
    const { from, to, ...texts } = given
    const days = { from: fromDay(from ?? ''), to: fromDay(to ?? '', 'ends') }
    onApply({ ...texts, ...days, offset: undefined })
  }

  return (
    <form
      ref={form}
      aria-label={words.filters}
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) apply()
      }}
      className="flex flex-col gap-3 rounded-xl border border-line bg-panel p-4"
    >
      <div className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-3">{children}</div>
      <div className="flex flex-wrap justify-end gap-2">
        {isFiltered(filters) && (
          <Button size="small" kind="quiet" onClick={() => onApply(none)}>
            {common.clear}
          </Button>
        )}
        <Button size="small" type="submit">
          {common.apply}
        </Button>
      </div>
    </form>
  )
}
