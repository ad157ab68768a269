import type { LimitCreate } from '@dataagent/schema'
import { useAgents, useServerChoices, useTools, useUserChoices } from '../../api/use-choices.ts'
import { SelectField } from '../../ui/field.tsx'
import { SuggestField } from '../../ui/suggest-field.tsx'
import { useWords } from '../../words/use-words.ts'
import { policiesWords } from './policies-words.ts'

/** Whom and which tools a new rule or limit speaks of, as its form holds it. */
export interface TargetFieldsValue {
  kind: LimitCreate['subject']['kind']
  /** Empty is every one. */
  id: string
  server_id: string
  tool: string
}

export const everything: TargetFieldsValue = {
  ...{ kind: 'tenant', id: '', server_id: '*', tool: '*' },
}

/** The same as the API takes it. */
export function toTarget({ kind, id, server_id, tool }: TargetFieldsValue) {
  return {
    ...{ subject: { kind, id: id.trim() || '*' }, server_id },
    tool: tool.trim() || '*',
  }
}

interface TargetFieldsProps {
  value: TargetFieldsValue
  onChange(part: Partial<TargetFieldsValue>): void
}

const kinds = ['tenant', 'user', 'agent', 'api_key', 'group'] as const

export function TargetFields({ value, onChange }: TargetFieldsProps) {
  const words = useWords(policiesWords)
  const { data: servers } = useServerChoices()
  const { data: tools = [] } = useTools()
  const ids = useSubjectIds(value.kind)
  const names = new Set(
    tools
      .filter(({ server_id }) => value.server_id === '*' || server_id === value.server_id)
      .map(({ name }) => name),
  )
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={words.subjectKind}
        value={value.kind}
        onChange={(event) =>
          onChange({ kind: event.target.value as TargetFieldsValue['kind'], id: '' })
        }
      >
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {words.kinds[kind]}
          </option>
        ))}
      </SelectField>
      <SuggestField
        label={words.subjectId}
        hint={words.subjectHint}
        options={ids}
        value={value.id}
        onChange={(event) => onChange({ id: event.target.value })}
      />
      <SelectField
        label={words.server}
        value={value.server_id}
        onChange={(event) => onChange({ server_id: event.target.value })}
      >
        <option value="*">{words.allServers}</option>
        {servers?.servers.map(({ server_id, name }) => (
          <option key={server_id} value={server_id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SuggestField
        label={words.tool}
        hint={words.toolHint}
        options={[...names].map((name) => ({ value: name }))}
        maxLength={191}
        value={value.tool}
        onChange={(event) => onChange({ tool: event.target.value })}
      />
    </div>
  )
}

/** Those of a kind that are known here; others are written. */
function useSubjectIds(kind: TargetFieldsValue['kind']) {
  const agents = useAgents().data?.agents ?? []
  const users = useUserChoices().data?.users ?? []
  if (kind === 'agent') {
    return agents.map(({ assistant_id, name }) => ({ value: assistant_id, label: name }))
  }
  if (kind === 'user') return users.map(({ user_id, name }) => ({ value: user_id, label: name }))
  return []
}
