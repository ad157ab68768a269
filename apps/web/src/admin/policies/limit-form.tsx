import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { policiesWords } from './policies-words.ts'
import { everything, TargetFields, toTarget } from './target-fields.tsx'

const windows = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }
type Window = keyof typeof windows

export function LimitForm({ onClose }: { onClose(): void }) {
  const words = useWords(policiesWords)
  const common = useWords(adminWords)
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const [target, setTarget] = useState(everything)
  const [max, setMax] = useState('60')
  const [window, setWindow] = useState<Window>('minute')

  async function add() {
    const limit = { max_calls: Number(max), window_ms: windows[window] }
    await client.policy.addLimit({ ...toTarget(target), ...limit })
    await queries.invalidateQueries({ queryKey: ['limits'] })
    toaster.done(words.limitAdded)
  }

  return (
    <FormDialog title={words.limitTitle} action={common.add} onSubmit={add} onClose={onClose}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={words.maxCalls}
          type="number"
          min={0}
          required
          value={max}
          onChange={(event) => setMax(event.target.value)}
        />
        <SelectField
          label={words.window}
          value={window}
          onChange={(event) => setWindow(event.target.value as Window)}
        >
          {(Object.keys(windows) as Window[]).map((one) => (
            <option key={one} value={one}>
              {words.windows[one]}
            </option>
          ))}
        </SelectField>
      </div>
      <TargetFields value={target} onChange={(part) => setTarget((old) => ({ ...old, ...part }))} />
    </FormDialog>
  )
}
