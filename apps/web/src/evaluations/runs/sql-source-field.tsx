import { useSources } from '../../data/use-data.ts'
import { SelectField } from '../../ui/field.tsx'
import { useWords } from '../../words/use-words.ts'
import { useDataset } from '../use-evaluations.ts'
import { runsWords } from './runs-words.ts'

interface SqlSourceFieldProps {
  dataset_id: string
  /** Empty where none is chosen. */
  value: string
  onChange(source_id: string): void
}

/** On what `expected_sql` is run; nothing where no question of the set has one. */
export function SqlSourceField({ dataset_id, value, onChange }: SqlSourceFieldProps) {
  const { data } = useDataset(dataset_id)
  const isNeeded = data?.questions.some(({ expected_sql }) => expected_sql !== null) ?? false
  return isNeeded ? <SourceField value={value} onChange={onChange} /> : null
}

function SourceField({ value, onChange }: Omit<SqlSourceFieldProps, 'dataset_id'>) {
  const words = useWords(runsWords)
  const { data: sources = [] } = useSources()
  return (
    <SelectField
      label={words.sqlSource}
      hint={words.sqlSourceHint}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{words.noSqlSource}</option>
      {sources.map(({ source_id, name }) => (
        <option key={source_id} value={source_id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
