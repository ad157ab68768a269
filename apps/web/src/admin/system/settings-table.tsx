import type { SettingsList } from '@dataagent/schema'
import { Badge } from '../../ui/badge.tsx'
import { Mono } from '../../ui/details.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useFormats, useLang, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import type { SystemSearch } from '../searches.ts'
import { findSettings, type Setting } from './find-settings.ts'
import { systemWords } from './system-words.ts'

const origins = ['default', 'file', 'env', 'flag'] as const

/** All settings, found by any of their names or words. */
export function SettingsTable({ settings }: Pick<SettingsList, 'settings'>) {
  const words = useWords(systemWords)
  const common = useWords(adminWords)
  const formats = useFormats()
  const lang = useLang()
  const [{ q = '', origin }, change] = useAddress<SystemSearch>()
  const found = findSettings(settings, { q, origin, lang })
  const columns: Column<Setting>[] = [
    {
      ...{ name: 'name', head: words.name },
      cell: ({ name, env, flag }) => (
        <span className="flex flex-col">
          <Mono text={name} />
          <span className="font-mono text-xs text-soft">{env}</span>
          <span className="font-mono text-xs text-soft">{flag}</span>
        </span>
      ),
    },
    {
      ...{ name: 'value', head: words.value, className: 'min-w-32 max-w-64' },
      cell: ({ value }) => <Value value={value} />,
    },
    {
      ...{ name: 'origin', head: words.origin },
      cell: (setting) => (
        <Badge tone={setting.origin === 'default' ? 'plain' : 'info'}>
          {words.origins[setting.origin]}
        </Badge>
      ),
    },
    {
      ...{ name: 'about', head: words.aboutColumn, className: 'min-w-64 text-[13px]' },
      cell: ({ about }) => about[lang],
    },
  ]
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label={words.search}
          type="search"
          className="w-72 max-w-full"
          value={q}
          onChange={(event) => change({ q: event.target.value || undefined })}
        />
        <SelectField
          label={words.origin}
          value={origin ?? ''}
          onChange={(event) => change({ origin: event.target.value || undefined })}
        >
          <option value="">{common.all}</option>
          {origins.map((one) => (
            <option key={one} value={one}>
              {words.origins[one]}
            </option>
          ))}
        </SelectField>
        <p aria-live="polite" className="pb-2 text-sm text-soft">
          {words.found(formats.number(found.length), formats.number(settings.length))}
        </p>
      </div>
      {found.length === 0 ? (
        <p className="text-sm text-soft">{words.noMatch}</p>
      ) : (
        <Table caption={words.settings} columns={columns} rows={found} keyOf={({ name }) => name} />
      )}
    </>
  )
}

function Value({ value }: Pick<Setting, 'value'>) {
  const words = useWords(systemWords)
  if (value === null) return <span className="text-soft">{words.notSet}</span>
  if (typeof value === 'boolean') return value ? words.on : words.off
  if (typeof value === 'string') {
    const text = words.values[value]
    return text === undefined ? <Mono text={value} /> : <span className="text-soft">{text}</span>
  }
  if (!Array.isArray(value)) return <Mono text={JSON.stringify(value)} />
  if (value.length === 0) return <span className="text-soft">{words.noneOfThem}</span>
  return <Mono text={value.map((one) => toListed(one)).join(', ')} />
}

function toListed(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
