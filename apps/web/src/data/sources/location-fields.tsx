import { SelectField, TextField } from '../../ui/field.tsx'
import { useWords } from '../../words/use-words.ts'
import { isServed, type SourceFields } from './read-source.ts'
import { sourcesWords } from './sources-words.ts'

interface LocationFieldsProps {
  fields: SourceFields
  onChange(part: Partial<SourceFields>): void
}

/** How a source is reached, by its kind. */
export function LocationFields({ fields, onChange }: LocationFieldsProps) {
  const words = useWords(sourcesWords)
  const { kind, by, path, url } = fields
  if (!isServed(kind)) {
    return (
      <TextField
        label={kind === 'files' ? words.folder : words.path}
        hint={words.pathHint}
        required
        maxLength={4096}
        placeholder={kind === 'files' ? '/srv/data' : `/srv/data/shop.${kind}`}
        value={path}
        onChange={(event) => onChange({ path: event.target.value })}
      />
    )
  }
  return (
    <>
      <SelectField
        label={words.by}
        value={by}
        onChange={(event) => onChange({ by: event.target.value === 'url' ? 'url' : 'fields' })}
      >
        <option value="fields">{words.byFields}</option>
        <option value="url">{words.byUrl}</option>
      </SelectField>
      {by === 'url' ? (
        <TextField
          label={words.url}
          hint={`${words.urlHint.replace('postgres', kind)} ${words.secretHint}`}
          type="password"
          autoComplete="off"
          required
          value={url}
          onChange={(event) => onChange({ url: event.target.value })}
        />
      ) : (
        <HostFields fields={fields} onChange={onChange} />
      )}
    </>
  )
}

function HostFields({ fields, onChange }: LocationFieldsProps) {
  const words = useWords(sourcesWords)
  const field = (name: 'host' | 'port' | 'database' | 'user' | 'password') => ({
    value: fields[name],
    autoComplete: name === 'password' ? 'new-password' : 'off',
    onChange: (event: { target: { value: string } }) =>
      onChange({ [name]: event.target.value } as Partial<SourceFields>),
  })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label={words.host} required maxLength={253} {...field('host')} />
      <TextField
        label={words.port}
        type="number"
        min={1}
        max={65535}
        placeholder={fields.kind === 'mysql' ? '3306' : '5432'}
        {...field('port')}
      />
      <TextField label={words.database} required maxLength={255} {...field('database')} />
      <SelectField
        label={words.ssl}
        value={fields.ssl}
        onChange={(event) => onChange({ ssl: event.target.value as SourceFields['ssl'] })}
      >
        {Object.entries(words.ssls).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </SelectField>
      <TextField label={words.user} required maxLength={255} {...field('user')} />
      <TextField
        label={words.password}
        hint={words.secretHint}
        type="password"
        {...field('password')}
      />
    </div>
  )
}
