import { SelectField } from '../ui/field.tsx'
import { useWords } from '../words/use-words.ts'
import { dataWords } from './data-words.ts'
import { useSources } from './use-data.ts'

interface SourceChoiceProps {
  /** Empty where none is chosen. */
  value: string
  onChange(source_id: string): void
  /** What the choice of none says; without it one must be chosen. */
  none?: string
}

/** One of the sources of all, or the one that is chosen already. */
export function SourceChoice({ value, onChange, none }: SourceChoiceProps) {
  const words = useWords(dataWords)
  const sources = (useSources().data ?? []).filter(
    ({ scope, source_id }) => scope === 'tenant' || source_id === value,
  )
  return (
    <SelectField
      label={words.source}
      required={none === undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{none ?? ''}</option>
      {sources.map(({ source_id, name }) => (
        <option key={source_id} value={source_id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

/** What a source is called, from its id. */
export function useSourceName(): (source_id: string | null) => string {
  const words = useWords(dataWords)
  const { data } = useSources()
  return (source_id) => {
    if (source_id === null) return words.anySource
    const found = data?.find((each) => each.source_id === source_id)
    return found?.name ?? (data ? words.unknownSource : '…')
  }
}
