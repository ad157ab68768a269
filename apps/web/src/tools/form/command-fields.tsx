import { useState } from 'react'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { useWords } from '../../words/use-words.ts'
import type { Draft } from './draft.ts'
import { formWords } from './form-words.ts'
import { PairsField } from './pairs-field.tsx'
import type { PartProps } from './part-props.ts'
import { fillTemplate, placesOf, type Template } from './templates.ts'

interface CommandFieldsProps extends PartProps {
  templates: readonly Template[]
  /** Whether any command may be written; else one of the templates is chosen. */
  isFree: boolean
  /** The template that is chosen at first. */
  chosen?: string | undefined
}

/** What starts a local server. */
export function CommandFields(props: CommandFieldsProps) {
  const { draft, problems, templates, isFree, chosen, onChange } = props
  const words = useWords(formWords)
  const [template, setTemplate] = useState(() => templates.find(({ name }) => name === chosen))
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})

  function choose(next: Template | undefined, nextValues: typeof values) {
    setTemplate(next)
    setValues(nextValues)
    if (next) onChange(fillTemplate(draft, next, nextValues))
  }

  return (
    <>
      {templates.length > 0 && (
        <SelectField
          label={words.template}
          value={template?.name ?? ''}
          onChange={(event) =>
            choose(
              templates.find(({ name }) => name === event.target.value),
              {},
            )
          }
        >
          <option value="">{words.choose}</option>
          {templates.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {template &&
        placesOf(template).map((place) => (
          <TextField
            key={place}
            required
            label={place}
            hint={template.params?.[place] && words.place(template.params[place])}
            value={values[place] ?? ''}
            onChange={(event) => choose(template, { ...values, [place]: event.target.value })}
          />
        ))}
      <TextField
        required
        label={words.command}
        hint={words.commandHint}
        problem={problems.command}
        value={draft.command}
        readOnly={!isFree}
        spellCheck={false}
        onChange={(event) => onChange({ ...draft, command: event.target.value })}
      />
      <TextArea
        code
        rows={3}
        label={words.args}
        hint={words.argsHint}
        problem={problems.args}
        value={draft.args}
        readOnly={!isFree}
        onChange={(event) => onChange({ ...draft, args: event.target.value })}
      />
      <PairsField
        label={words.env}
        add={words.addVariable}
        pairs={draft.env}
        problem={problems.env}
        names={namesOf(template, isFree)}
        onChange={(env: Draft['env']) => onChange({ ...draft, env })}
      />
    </>
  )
}

function namesOf(template: Template | undefined, isFree: boolean) {
  return isFree ? undefined : (template?.env ?? [])
}
