import type { Role, User } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useMe } from '../../api/api-context.ts'
import { shellWords } from '../../shell/shell-words.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { rolesWithin } from './roles-within.ts'
import { usersWords } from './users-words.ts'

interface UserFormProps {
  /** To be changed; none is to be added. */
  user?: User | undefined
  tenant_id: string
  onClose(): void
}

export function UserForm({ user, tenant_id, onClose }: UserFormProps) {
  const words = useWords(usersWords)
  const common = useWords(adminWords)
  const { roles } = useWords(shellWords)
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const me = useMe()
  const [user_id, setId] = useState(user?.user_id ?? '')
  const [name, setName] = useState(user?.name ?? '')
  const [role, setRole] = useState<Role>(user?.role ?? 'user')

  async function save() {
    const given = name.trim() || user_id
    if (user) await client.users.update(user_id, { name: given, role }, { tenant_id })
    else await client.users.create({ user_id, name: given, role, tenant_id })
    await queries.invalidateQueries({ queryKey: ['users'] })
    toaster.done(user ? common.saved : words.added(given))
  }

  return (
    <FormDialog
      size="small"
      title={user ? words.editTitle(user.name) : words.addTitle}
      action={user ? common.save : common.add}
      onSubmit={save}
      onClose={onClose}
    >
      {!user && (
        <TextField
          label={common.id}
          hint={common.idHint}
          required
          autoFocus
          autoComplete="off"
          value={user_id}
          onChange={(event) => setId(event.target.value.trim())}
        />
      )}
      <TextField
        label={common.name}
        maxLength={191}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label={words.role}
        hint={words.roleAbout[role]}
        value={role}
        onChange={(event) => setRole(event.target.value as Role)}
      >
        {rolesWithin(me.role).map((one) => (
          <option key={one} value={one}>
            {roles[one]}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  )
}
