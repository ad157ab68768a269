import type { Schema } from './document.ts'
import { type Html, html, prose } from './html.ts'
import type { PageWords } from './page-words.ts'
import { nameInRef } from './refs.ts'

/** A schema in a few words, with links to those that have a name. */
export function renderType(schema: Schema): Html {
  const name = nameInRef(schema.$ref)
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return join(choices.map(renderType))
  if (Array.isArray(schema.enum)) return html`<code>${schema.enum.map(quote).join(' | ')}</code>`
  if ('const' in schema) return html`<code>${quote(schema.const)}</code>`
  if (schema.type === 'array') return html`[ ${renderType((schema.items ?? {}) as Schema)} ]`
  return html`${schema.type === undefined ? 'any' : String(schema.type)}${limitsOf(schema)}`
}

function join(parts: Html[]): Html {
  return html`${parts.map((part, at) => (at === 0 ? part : html` | ${part}`))}`
}

function quote(value: unknown): string {
  return JSON.stringify(value)
}

function limitsOf({ minimum, maximum, minLength, maxLength, format }: Schema): string {
  const [least, most] = [minimum ?? minLength, maximum ?? maxLength]
  const isOpen = most === undefined || most === Number.MAX_SAFE_INTEGER
  const range = least === undefined && isOpen ? '' : ` ${least ?? ''}–${isOpen ? '' : most}`
  return `${range}${format === undefined ? '' : ` ${format}`}`
}

interface FieldRow {
  path: string
  schema: Schema
  required: boolean
}

const deepest = 4

/** The fields of an object, those of objects in it after it. */
function fieldsOf(schema: Schema, path = '', depth = 0): FieldRow[] {
  if (depth > deepest) return []
  if (schema.type === 'array') return fieldsOf((schema.items ?? {}) as Schema, `${path}[]`, depth)
  const choices = [schema.anyOf ?? schema.oneOf ?? []].flat() as Schema[]
  const required = Array.isArray(schema.required) ? schema.required : []
  const own = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const rows = own.flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`
    const row = { path: at, schema: field, required: required.includes(name) }
    return [row, ...fieldsOf(field, at, depth + 1)]
  })
  return [...rows, ...choices.flatMap((choice) => fieldsOf(choice, path, depth + 1))]
}

/** A table of the schema's fields; its type alone where it has none. */
export function renderFields(schema: Schema, words: PageWords): Html {
  const rows = fieldsOf(schema)
  if (rows.length === 0) return html`<p>${renderType(schema)}</p>`
  return html`<table>
<thead><tr><th>${words.name}</th><th>${words.type}</th><th>${words.about}</th></tr></thead>
<tbody>${rows.map((row) => renderRow(row, words))}</tbody>
</table>`
}

/** One line of a table: of a field, or of a parameter. */
export function renderRow({ path, schema, required }: FieldRow, words: PageWords): Html {
  const about = [schema.description, defaultOf(schema)].filter((part) => part !== undefined)
  return html`<tr><td><code>${path}</code>${required && html` <em>${words.required}</em>`}</td>
<td>${renderType(schema)}</td><td>${prose(about.join(' '))}</td></tr>
`
}

function defaultOf(schema: Schema): string | undefined {
  return 'default' in schema ? `= ${quote(schema.default)}` : undefined
}
