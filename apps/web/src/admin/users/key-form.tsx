import type { ApiKeyCreated, Role, User } from '@dataagent/schema'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { shellWords } from '../../shell/shell-words.ts'
import { fromDay, toDay } from '../../ui/day.ts'
import { SelectField, Switch, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { keysWords } from './keys-words.ts'
import { rolesWithin } from './roles-within.ts'

interface KeyFormProps {
  user: User
  onMade(made: ApiKeyCreated): void
  onClose(): void
}

export function KeyForm({ user, onMade, onClose }: KeyFormProps) {
  const words = useWords(keysWords)
  const common = useWords(adminWords)
  const { roles } = useWords(shellWords)
  const client = useClient()
  const { tenant_id, user_id } = user
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role | ''>('')
  const [day, setDay] = useState('')
  const [act_as, setActAs] = useState(false)

  async function make() {
    const expires_at = fromDay(day, 'ends') ?? null
    const body = { name, expires_at, act_as, ...(role === '' ? {} : { role }) }
    onMade(await client.apiKeys.create(user_id, body, { tenant_id }))
  }

  return (
    <FormDialog
      size="small"
      title={words.newTitle(user.name)}
      action={words.make}
      onSubmit={make}
      onClose={onClose}
    >
      <TextField
        label={common.name}
        hint={words.nameHint}
        required
        autoFocus
        maxLength={191}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label={words.role}
        value={role}
        onChange={(event) => setRole(event.target.value as Role | '')}
      >
        <option value="">{words.sameRole}</option>
        {rolesWithin(user.role).map((one) => (
          <option key={one} value={one}>
            {roles[one]}
          </option>
        ))}
      </SelectField>
      <TextField
        label={words.expiresOn}
        hint={words.expiresHint}
        type="date"
        min={toDay(Date.now())}
        value={day}
        onChange={(event) => setDay(event.target.value)}
      />
      <Switch label={words.actAs} hint={words.actAsHint} checked={act_as} onChange={setActAs} />
    </FormDialog>
  )
}
