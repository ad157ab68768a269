import type { Transport } from '@dataagent/schema'
import { useIsAdmin, useMe } from '../../api/api-context.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { useWords } from '../../words/use-words.ts'
import { useTemplates } from '../use-servers.ts'
import { AddressFields } from './address-fields.tsx'
import { CommandFields } from './command-fields.tsx'
import type { Draft, Scope } from './draft.ts'
import { formWords } from './form-words.ts'
import { isNear } from './is-near.ts'
import { MoreFields } from './more-fields.tsx'
import { namesFiles } from './names-files.ts'
import type { PartProps } from './part-props.ts'

interface ServerFormProps extends PartProps {
  /** A server that is there keeps its scope. */
  isEdit?: boolean
  /** The approved command that is chosen at first. */
  template?: string | undefined
}

const transports: readonly Transport[] = ['http', 'sse', 'stdio']

/** Everything about a server that a person may set. */
export function ServerForm({ draft, problems, onChange, isEdit, template }: ServerFormProps) {
  const words = useWords(formWords)
  const isAdmin = useIsAdmin()
  const { data: templates = [] } = useTemplates()
  const isFree = isAdmin || isEdit === true
  const mayStart = isFree || templates.length > 0
  const part = { draft, problems, onChange }
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          required
          label={words.name}
          hint={words.nameHint}
          problem={problems.name}
          value={draft.name}
          autoComplete="off"
          onChange={(event) => onChange({ ...draft, name: event.target.value })}
        />
        <SelectField
          label={words.transport}
          problem={problems.transport}
          hint={startable(words, isFree, templates.map(({ name }) => name).join(', '))}
          value={draft.transport}
          onChange={(event) =>
            onChange({ ...draft, transport: event.target.value as Draft['transport'] })
          }
        >
          {transports.map((one) => (
            <option key={one} value={one} disabled={one === 'stdio' && !mayStart}>
              {words.transports[one]}
            </option>
          ))}
        </SelectField>
      </div>
      {draft.transport === 'stdio' ? (
        <CommandFields {...{ ...part, templates, isFree, chosen: template }} />
      ) : (
        <AddressFields {...part} />
      )}
      <TextField
        label={words.description}
        hint={words.descriptionHint}
        problem={problems.description}
        value={draft.description}
        onChange={(event) => onChange({ ...draft, description: event.target.value })}
      />
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          label={words.keywords}
          hint={words.keywordsHint}
          problem={problems.trigger_keywords}
          value={draft.keywords}
          onChange={(event) => onChange({ ...draft, keywords: event.target.value })}
        />
        {isAdmin && !isEdit && <ScopeField scope={draft.scope} {...part} />}
      </div>
      <MoreFields {...part} />
    </div>
  )
}

function startable(words: (typeof formWords)['en'], isFree: boolean, names: string) {
  if (isFree) return undefined
  return names === '' ? words.noCommands : words.onlyCommands(names)
}

function ScopeField({ draft, onChange }: PartProps & { scope: Scope }) {
  const words = useWords(formWords)
  const { role } = useMe()
  const scopes: Scope[] =
    role === 'platform_admin' ? ['user', 'tenant', 'platform'] : ['user', 'tenant']
  return (
    <SelectField
      label={words.scope}
      hint={hint()}
      value={draft.scope}
      onChange={(event) => onChange({ ...draft, scope: event.target.value as Scope })}
    >
      {scopes.map((scope) => (
        <option key={scope} value={scope}>
          {words.scopes[scope]}
        </option>
      ))}
    </SelectField>
  )

  function hint(): string | undefined {
    const { transport, url, command, args } = draft
    if (transport !== 'stdio') return isNear(url) ? words.nearHint : undefined
    return namesFiles({ command, args: args.split('\n') }) ? words.filesHint : undefined
  }
}
