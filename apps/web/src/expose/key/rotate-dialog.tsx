import type { ToolGroupInfo, ToolGroupWithKey } from '@dataagent/schema'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { SelectField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { useGrants, useRefresh } from '../use-groups.ts'
import { keyWords } from './key-words.ts'

interface RotateDialogProps {
  group: ToolGroupInfo
  /** Whether the key that there is opens the group. */
  isActive: boolean
  onRotated(made: ToolGroupWithKey): void
  onClose(): void
}

/** A key in the place of the old one, and what stops working by it. */
export function RotateDialog({ group, isActive, onRotated, onClose }: RotateDialogProps) {
  const words = useWords(keyWords)
  const formats = useFormats()
  const client = useClient()
  const refresh = useRefresh()
  const grants = useGrants(group.group_id)
  const [overlap, setOverlap] = useState('0')
  const sessions = grants.data?.grants.filter(({ user_id }) => user_id === null).length ?? 0

  async function rotate() {
    const body = { overlap_seconds: isActive ? Number(overlap) : 0 }
    const made = await client.toolGroups.rotateKey(group.group_id, body)
    await refresh()
    onRotated(made)
  }

  return (
    <FormDialog
      size="small"
      title={isActive ? words.rotateTitle : words.makeTitle}
      action={isActive ? words.rotate : words.make}
      onSubmit={rotate}
      onClose={onClose}
    >
      <Notice tone={isActive ? 'wait' : 'info'}>
        {isActive ? words.rotateAbout : words.makeAbout}
        {isActive && sessions > 0 && <p>{words.rotateSessions(formats.number(sessions))}</p>}
      </Notice>
      {isActive && (
        <SelectField
          label={words.overlap}
          value={overlap}
          onChange={(event) => setOverlap(event.target.value)}
        >
          {Object.entries(words.overlaps).map(([seconds, text]) => (
            <option key={seconds} value={seconds}>
              {text}
            </option>
          ))}
        </SelectField>
      )}
    </FormDialog>
  )
}
