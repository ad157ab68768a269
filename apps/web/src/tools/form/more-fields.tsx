import { useIsAdmin } from '../../api/api-context.ts'
import { SelectField, Switch, TextField } from '../../ui/field.tsx'
import { useWords } from '../../words/use-words.ts'
import type { ApprovalChoice, Draft } from './draft.ts'
import { formWords } from './form-words.ts'
import type { PartProps } from './part-props.ts'

/** What has a usable default: words, limits, filters, approval. */
export function MoreFields({ draft, problems, onChange }: PartProps) {
  const words = useWords(formWords)
  const isAdmin = useIsAdmin()
  const text = (name: 'allowedTools' | 'blockedTools' | 'timeout') => ({
    value: draft[name],
    problem: problems[name],
    spellCheck: false,
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...draft, [name]: event.target.value }),
  })
  const isShared = draft.scope !== 'user'
  return (
    <details className="rounded-xl border border-line">
      <summary className="px-4 py-2 text-sm font-medium">{words.more}</summary>
      <div className="grid gap-4 border-t border-line p-4 md:grid-cols-2">
        <TextField label={words.timeout} inputMode="decimal" {...text('timeout')} />
        <SelectField
          label={words.approval}
          hint={words.approvalHint}
          value={draft.approval}
          onChange={(event) =>
            onChange({ ...draft, approval: event.target.value as ApprovalChoice })
          }
        >
          {(['default', 'allow', 'ask', 'deny'] as const).map((choice) => (
            <option key={choice} value={choice}>
              {words.approvals[choice]}
            </option>
          ))}
        </SelectField>
        <TextField label={words.allowed} hint={words.allowedHint} {...text('allowedTools')} />
        <TextField label={words.blocked} {...text('blockedTools')} />
        {isShared && (
          <SelectField
            label={words.credentials}
            value={draft.credentials}
            onChange={(event) =>
              onChange({ ...draft, credentials: event.target.value as Draft['credentials'] })
            }
          >
            {(['shared', 'user'] as const).map((choice) => (
              <option key={choice} value={choice}>
                {words.credentialChoices[choice]}
              </option>
            ))}
          </SelectField>
        )}
        {isAdmin && (
          <Switch
            label={words.quarantine}
            hint={words.quarantineHint}
            checked={draft.quarantine}
            onChange={(quarantine) => onChange({ ...draft, quarantine })}
          />
        )}
      </div>
    </details>
  )
}
