import type { ToolView } from '@dataagent/schema'
import { useIsAdmin } from '../api/api-context.ts'
import { useAgentChoices, useUserChoices } from '../api/use-choices.ts'
import { SelectField } from '../ui/field.tsx'
import { SuggestField } from '../ui/suggest-field.tsx'
import { useWords } from '../words/use-words.ts'
import type { Question } from './explain.tsx'
import { explainWords } from './explain-words.ts'

interface CallerFieldsProps {
  question: Question
  tools: readonly ToolView[]
  onChange(part: Question): void
}

/** Who calls, through which agent, and which tool. Others than oneself are for administrators. */
export function CallerFields({ question, tools, onChange }: CallerFieldsProps) {
  const words = useWords(explainWords)
  const isAdmin = useIsAdmin()
  const agents = useAgentChoices()
  return (
    <div className="grid items-start gap-3 sm:grid-cols-[repeat(auto-fit,minmax(13rem,1fr))]">
      {isAdmin && <UserField {...{ question, onChange }} />}
      <SelectField
        label={words.agent}
        value={question.agent ?? ''}
        onChange={(event) => onChange({ agent: event.target.value })}
      >
        <option value="">{words.noAgent}</option>
        {agents.data?.map(({ assistant_id, name }) => (
          <option key={assistant_id} value={assistant_id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SuggestField
        label={words.tool}
        hint={words.toolHint}
        required
        options={tools.map(({ sdk_name, title = '' }) => ({ value: sdk_name, label: title }))}
        value={question.tool ?? ''}
        onChange={(event) => onChange({ tool: event.target.value })}
      />
    </div>
  )
}

function UserField({ question, onChange }: Pick<CallerFieldsProps, 'question' | 'onChange'>) {
  const words = useWords(explainWords)
  const users = useUserChoices()
  return (
    <SuggestField
      label={words.user}
      hint={words.userHint}
      options={
        users.data?.users.map(({ user_id, name }) => ({ value: user_id, label: name })) ?? []
      }
      value={question.user ?? ''}
      onChange={(event) => onChange({ user: event.target.value })}
    />
  )
}
