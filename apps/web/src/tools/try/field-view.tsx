import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { emptyValue, type FormValue, toPath } from './form-value.ts'
import type { Field } from './schema-field.ts'
import { tryWords } from './try-words.ts'

interface FieldViewProps {
  field: Field
  value: FormValue
  /** What is wrong, by path. */
  problems: Readonly<Record<string, string>>
  path: string
  /** In place of the field's own label, for entries of a list. */
  label?: string
  onChange(value: FormValue): void
}

/** One value of a form, with what it holds. */
export function FieldView(props: FieldViewProps) {
  const { field, value, problems, path, onChange } = props
  const words = useWords(tryWords)
  if (field.kind === 'group') return <GroupView {...props} field={field} />
  if (field.kind === 'list') return <ListView {...props} field={field} />
  const label = props.label ?? field.label
  const texts = {
    label: <PlainText text={label} />,
    hint: field.about === '' ? undefined : <PlainText text={field.about} />,
    problem: problemAt(problems, path, field.kind === 'json'),
    required: field.isRequired,
    value: String(value),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  if (field.kind === 'choice' || field.kind === 'boolean') {
    return (
      <SelectField {...texts}>
        <option value="">{words.none}</option>
        {field.kind === 'boolean' ? (
          <>
            <option value="true">{words.yes}</option>
            <option value="false">{words.no}</option>
          </>
        ) : (
          field.options.map((option, i) => (
            <option key={JSON.stringify(option)} value={String(i)}>
              {typeof option === 'string' ? option : JSON.stringify(option)}
            </option>
          ))
        )}
      </SelectField>
    )
  }
  if (field.kind === 'json') {
    return <TextArea code rows={3} {...texts} hint={texts.hint ?? words.jsonHint} />
  }
  if (field.kind === 'text' && field.isLong) return <TextArea rows={3} {...texts} />
  return (
    <TextField
      {...texts}
      autoComplete="off"
      inputMode={field.kind === 'number' ? 'decimal' : undefined}
    />
  )
}

type ViewOf<K extends Field['kind']> = Omit<FieldViewProps, 'field'> & {
  field: Extract<Field, { kind: K }>
}

/** Fields of an object, each below the other; within another object they are set apart. */
function GroupView({ field, value, problems, path, label, onChange }: ViewOf<'group'>) {
  const held = value as { readonly [name: string]: FormValue }
  const fields = field.fields.map(({ name, field: inner }) => (
    <FieldView
      key={name}
      field={inner}
      value={held[name] ?? ''}
      problems={problems}
      path={toPath(path, name)}
      onChange={(next) => onChange({ ...held, [name]: next })}
    />
  ))
  if (path === '') return <div className="flex flex-col gap-3">{fields}</div>
  return (
    <SetApart {...{ label: label ?? field.label, field, problem: problems[path] }}>
      {fields}
    </SetApart>
  )
}

function ListView({ field, value, problems, path, label, onChange }: ViewOf<'list'>) {
  const words = useWords(tryWords)
  const items = (Array.isArray(value) ? value : []) as readonly FormValue[]
  const name = label ?? field.label
  const isSmall = field.item.kind !== 'group' && field.item.kind !== 'list'
  return (
    <SetApart {...{ label: name, field, problem: problems[path] }}>
      {items.map((item, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry is known by its place
        <div key={i} className={cx('flex gap-1.5', isSmall ? 'items-end' : 'items-start')}>
          <div className="min-w-0 flex-1">
            <FieldView
              field={field.item}
              value={item}
              problems={problems}
              path={`${path}[${i}]`}
              label={words.item(name, i + 1)}
              onChange={(next) => onChange(items.with(i, next))}
            />
          </div>
          <IconButton
            label={words.removeItem(i + 1)}
            onClick={() => onChange(items.toSpliced(i, 1))}
          >
            <X className="size-4" />
          </IconButton>
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon={<Plus aria-hidden="true" className="size-3.5" />}
          onClick={() => onChange([...items, emptyValue(field.item)])}
        >
          {words.addItem(name)}
        </Button>
      </div>
    </SetApart>
  )
}

interface SetApartProps {
  label: string
  field: Field
  problem: string | undefined
  children: ReactNode
}

function SetApart({ label, field, problem, children }: SetApartProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 rounded-lg border border-line p-3">
      <legend className="px-1 text-sm font-medium">
        <PlainText text={label} />
        {field.isRequired && <span className="text-bad"> *</span>}
      </legend>
      {field.about !== '' && (
        <p className="text-[13px] text-soft">
          <PlainText text={field.about} />
        </p>
      )}
      {problem && (
        <p role="alert" className="text-[13px] text-bad">
          {problem}
        </p>
      )}
      {children}
    </fieldset>
  )
}

/** Also what is wrong within a value that has no fields of its own. */
function problemAt(problems: FieldViewProps['problems'], path: string, isWhole: boolean) {
  if (problems[path] !== undefined || !isWhole) return problems[path]
  const within = Object.keys(problems).find(
    (at) => at.startsWith(`${path}.`) || at.startsWith(`${path}[`),
  )
  return within && `${within}: ${problems[within]}`
}
