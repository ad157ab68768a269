import { useEffect, useRef } from 'react'

interface TickBoxProps {
  label: string
  state: 'all' | 'some' | 'none'
  disabled?: boolean
  onChange(isOn: boolean): void
}

/** A tick for one thing, or for several of which some may be ticked. */
export function TickBox({ label, state, disabled = false, onChange }: TickBoxProps) {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = state === 'some'
  }, [state])
  return (
    <input
      ref={ref}
      type="checkbox"
      aria-label={label}
      title={label}
      checked={state === 'all'}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
      className="size-4 shrink-0 cursor-pointer accent-accent disabled:cursor-wait"
    />
  )
}
