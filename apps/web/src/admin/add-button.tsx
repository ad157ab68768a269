import { Plus } from 'lucide-react'
import { Button } from '../ui/button.tsx'

interface AddButtonProps {
  label: string
  disabled?: boolean
  onClick(): void
}

/** The way to add one more of what a page lists. */
export function AddButton({ label, disabled = false, onClick }: AddButtonProps) {
  return (
    <Button
      kind="primary"
      disabled={disabled}
      icon={<Plus aria-hidden="true" className="size-4" />}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}
