import type { ToolGroupInfo, ToolGroupWithKey } from '@dataagent/schema'
import { useState } from 'react'
import { useClient } from '../api/api-context.ts'
import { Switch, TextArea, TextField } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useToaster } from '../ui/toasts.tsx'
import { useWords } from '../words/use-words.ts'
import { formWords } from './form-words.ts'
import { endOfDay, toDay } from './key-state.ts'
import type { Entry } from './tools/tool-choice.ts'
import { ToolPicker } from './tools/tool-picker.tsx'
import { useRefresh } from './use-groups.ts'

interface GroupFormProps {
  /** The group that is changed; without it one is made. */
  group?: ToolGroupInfo | undefined
  onMade?(made: ToolGroupWithKey): void
  onClose(): void
}

interface Draft {
  name: string
  description: string
  group_id: string
  open_to_users: boolean
  shown_once: boolean
  expires: string
  tools: readonly Entry[]
}

/** Makes a group, or changes one. */
export function GroupForm({ group, onMade, onClose }: GroupFormProps) {
  const words = useWords(formWords)
  const client = useClient()
  const refresh = useRefresh()
  const toaster = useToaster()
  const [draft, setDraft] = useState(() => toDraft(group))
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))

  async function save() {
    const { description, open_to_users, shown_once, tools } = draft
    const name = draft.name.trim()
    const fields = { name, description, open_to_users, shown_once, tools: [...tools] }
    if (group) {
      await client.toolGroups.update(group.group_id, { ...fields, ...changedExpiry(draft, group) })
      await refresh()
      toaster.done(words.saved(name))
    } else {
      const group_id = draft.group_id.trim()
      const expires_at = endOfDay(draft.expires)
      const made = await client.toolGroups.create({
        ...fields,
        ...(group_id !== '' && { group_id }),
        ...(expires_at !== undefined && { key_expires_at: expires_at }),
      })
      await refresh()
      onMade?.(made)
    }
  }

  return (
    <FormDialog
      title={group ? words.edit(group.name) : words.create}
      action={group ? words.save : words.make}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        required
        autoFocus
        maxLength={120}
        label={words.name}
        hint={words.nameHint}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextArea
        rows={2}
        maxLength={2000}
        label={words.description}
        value={draft.description}
        onChange={(event) => change({ description: event.target.value })}
      />
      <ToolPicker entries={draft.tools} onChange={(tools) => change({ tools })} />
      <MoreFields {...{ draft, group, change }} />
    </FormDialog>
  )
}

interface MoreFieldsProps {
  draft: Draft
  group: ToolGroupInfo | undefined
  change(part: Partial<Draft>): void
}

function MoreFields({ draft, group, change }: MoreFieldsProps) {
  const words = useWords(formWords)
  const endsCopying = group?.key?.can_copy && draft.shown_once
  return (
    <details className="rounded-xl border border-line p-3">
      <summary className="text-sm font-medium">{words.more}</summary>
      <div className="mt-3 flex flex-col gap-4">
        {!group && (
          <TextField
            pattern="[a-z0-9][a-z0-9_\-]{0,62}"
            label={words.id}
            hint={words.idHint}
            value={draft.group_id}
            onChange={(event) => change({ group_id: event.target.value })}
          />
        )}
        <Switch
          label={words.open}
          hint={words.openHint}
          checked={draft.open_to_users}
          onChange={(open_to_users) => change({ open_to_users })}
        />
        <Switch
          label={words.once}
          hint={endsCopying ? words.onceNow : words.onceHint}
          checked={draft.shown_once}
          onChange={(shown_once) => change({ shown_once })}
        />
        <TextField
          type="date"
          label={words.expires}
          hint={words.expiresHint}
          value={draft.expires}
          onChange={(event) => change({ expires: event.target.value })}
        />
      </div>
    </details>
  )
}

function toDraft(group: ToolGroupInfo | undefined): Draft {
  return {
    name: group?.name ?? '',
    description: group?.description ?? '',
    group_id: '',
    open_to_users: group?.open_to_users ?? false,
    shown_once: group?.shown_once ?? false,
    expires: toDay(group?.key?.expires_at ?? null),
    tools: group?.tools ?? [],
  }
}

/** A day that nobody has touched keeps its exact moment, also one that is past. */
function changedExpiry(draft: Draft, group: ToolGroupInfo) {
  if (draft.expires === toDay(group.key?.expires_at ?? null)) return {}
  return { key_expires_at: endOfDay(draft.expires) ?? null }
}
