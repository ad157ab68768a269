import { type ComponentProps, useId } from 'react'
import { TextField } from './field.tsx'

interface SuggestFieldProps extends Omit<ComponentProps<typeof TextField>, 'list'> {
  options: readonly { value: string; label?: string }[]
}

/** A text with proposals; others may be written too. */
export function SuggestField({ options, ...rest }: SuggestFieldProps) {
  const list = useId()
  return (
    <div>
      <TextField autoComplete="off" {...rest} list={list} />
      <datalist id={list}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </datalist>
    </div>
  )
}
