import type { Rule } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useMe } from '../../api/api-context.ts'
import { fromDay, toDay } from '../../ui/day.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { policiesWords } from './policies-words.ts'
import { everything, TargetFields, toTarget } from './target-fields.tsx'

type Tier = Rule['tier']
type Effect = Rule['effect']

export function RuleForm({ onClose }: { onClose(): void }) {
  const words = useWords(policiesWords)
  const common = useWords(adminWords)
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const { role } = useMe()
  const [target, setTarget] = useState(everything)
  const [effect, setEffect] = useState<Effect>('ask')
  const [tier, setTier] = useState<Tier>('tenant')
  const [day, setDay] = useState('')
  const [note, setNote] = useState('')
  const tiers: Tier[] =
    role === 'platform_admin' ? ['platform', 'tenant', 'user'] : ['tenant', 'user']

  async function add() {
    const expires_at = fromDay(day, 'ends') ?? null
    await client.policy.addRule({ ...toTarget(target), tier, effect, expires_at, note })
    await queries.invalidateQueries({ queryKey: ['rules'] })
    toaster.done(words.ruleAdded)
  }

  return (
    <FormDialog title={words.ruleTitle} action={common.add} onSubmit={add} onClose={onClose}>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={words.effect}
          value={effect}
          onChange={(event) => setEffect(event.target.value as Effect)}
        >
          {(['allow', 'ask', 'deny'] as const).map((one) => (
            <option key={one} value={one}>
              {words.effects[one]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={words.tier}
          hint={words.tierHint}
          value={tier}
          onChange={(event) => setTier(event.target.value as Tier)}
        >
          {tiers.map((one) => (
            <option key={one} value={one}>
              {words.tiers[one]}
            </option>
          ))}
        </SelectField>
      </div>
      <TargetFields value={target} onChange={(part) => setTarget((old) => ({ ...old, ...part }))} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={words.expiresOn}
          hint={words.expiresHint}
          type="date"
          min={toDay(Date.now())}
          value={day}
          onChange={(event) => setDay(event.target.value)}
        />
        <TextField
          label={words.note}
          hint={words.noteHint}
          maxLength={1000}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
    </FormDialog>
  )
}
