import { Pencil, Trash2 } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'

interface RowActionsProps {
  editLabel?: string | undefined
  onEdit?: (() => void) | undefined
  removeLabel: string
  onRemove(): void
}

/** Changes or removes the thing of a row. */
export function RowActions({ editLabel = '', onEdit, removeLabel, onRemove }: RowActionsProps) {
  return (
    <span className="flex justify-end gap-1">
      {onEdit && (
        <IconButton size="small" label={editLabel} onClick={onEdit}>
          <Pencil className="size-4" />
        </IconButton>
      )}
      <IconButton size="small" label={removeLabel} onClick={onRemove}>
        <Trash2 className="size-4" />
      </IconButton>
    </span>
  )
}
