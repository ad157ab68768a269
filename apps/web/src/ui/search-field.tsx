import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { controlClass } from './field.tsx'

interface SearchFieldProps {
  label: string
  value: string
  onChange(text: string): void
}

const pausedMs = 250

/** A text to look for; told when typing has paused. One that is set from outside is taken over. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState({ value, told: value, taken: 0 })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  if (value !== seen.value) {
    const isOurs = value === seen.told
    if (!isOurs) setText(value)
    setSeen({ value, told: value, taken: isOurs ? seen.taken : seen.taken + 1 })
  }

  // What was being typed then is told no more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each that is taken over
  useEffect(() => () => clearTimeout(timer.current), [seen.taken])

  function type({ target }: ChangeEvent<HTMLInputElement>) {
    const told = target.value.trim()
    setText(target.value)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setSeen((now) => ({ ...now, told }))
      onChange(told)
    }, pausedMs)
  }

  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={type}
      className={`${controlClass} max-w-sm`}
    />
  )
}
