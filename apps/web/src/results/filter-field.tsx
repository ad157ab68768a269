import { cx } from '../ui/cx.ts'
import { controlClass } from '../ui/field.tsx'
import { useWords } from '../words/use-words.ts'
import { resultWords } from './result-words.ts'

interface FilterFieldProps {
  value: string
  onChange(value: string): void
}

/** Keeps the rows that hold a text. */
export function FilterField({ value, onChange }: FilterFieldProps) {
  const words = useWords(resultWords)
  return (
    <input
      type="search"
      aria-label={words.filter}
      placeholder={words.filter}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={cx(controlClass, '!min-h-7 !w-44 !py-0.5')}
    />
  )
}
