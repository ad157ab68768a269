import { SelectField, Switch } from '../../ui/field.tsx'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { agentsWords } from './agents-words.ts'
import type { AgentFields } from './read-agent.ts'

interface AgentSwitchesProps {
  fields: AgentFields
  onChange(part: Partial<AgentFields>): void
}

/** What an agent may do besides calling tools. */
export function AgentSwitches({ fields, onChange }: AgentSwitchesProps) {
  const words = useWords(agentsWords)
  const common = useWords(adminWords)
  return (
    <fieldset className="flex flex-col gap-3 rounded-xl border border-line p-4">
      <legend className="px-1 text-sm font-medium">{words.switches}</legend>
      <Switch
        label={words.memory}
        hint={words.memoryHint}
        checked={fields.enable_memory}
        onChange={(enable_memory) => onChange({ enable_memory })}
      />
      <Switch
        label={words.skills}
        hint={words.skillsHint}
        checked={fields.enable_skills}
        onChange={(enable_skills) => onChange({ enable_skills })}
      />
      <Switch
        label={words.shell}
        hint={words.shellHint}
        checked={fields.enable_shell}
        onChange={(enable_shell) =>
          onChange({ enable_shell, sandbox_type: enable_shell ? 'bubblewrap' : '' })
        }
      />
      {fields.enable_shell && (
        <SelectField
          label={words.sandbox}
          className="max-w-xs"
          value={fields.sandbox_type}
          onChange={(event) => onChange({ sandbox_type: event.target.value })}
        >
          <option value="bubblewrap">{words.sandboxes.bubblewrap}</option>
          <option value="">{words.sandboxes.preferred}</option>
          <option value="none">{words.sandboxes.none}</option>
        </SelectField>
      )}
      <Switch
        label={words.autoApprove}
        hint={words.autoApproveHint}
        checked={fields.auto_approve}
        onChange={(auto_approve) => onChange({ auto_approve })}
      />
      <Switch
        label={common.enabled}
        hint={words.enabledHint}
        checked={fields.enabled}
        onChange={(enabled) => onChange({ enabled })}
      />
    </fieldset>
  )
}
