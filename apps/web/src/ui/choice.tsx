import { Button } from './button.tsx'

interface ChoiceProps<T extends string> {
  /** What is chosen, for screen readers. */
  label: string
  values: readonly T[]
  value: NoInfer<T>
  texts: Readonly<Record<NoInfer<T>, string>>
  onChange(value: NoInfer<T>): void
}

/** One of a few, all of them seen. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label, values, value, texts, onChange } = props
  return (
    <fieldset aria-label={label} className="flex min-w-0 flex-wrap gap-1">
      {values.map((each) => (
        <Button
          key={each}
          size="small"
          kind={each === value ? 'plain' : 'quiet'}
          aria-pressed={each === value}
          onClick={() => onChange(each)}
        >
          {texts[each]}
        </Button>
      ))}
    </fieldset>
  )
}
