import { isPlainObject } from '@dataagent/schema'
import { calling, type OwnRule } from './own-rule.ts'
import { readFields } from './schema-fields.ts'
import { toPattern } from './to-pattern.ts'

const planning = toPattern('iu')`
  ^\s{0,8}(?:待办|todos?|to-?do list|计划|plan)(?:清单|事项|列表)?\s{0,2}[:：]\s{0,4}([\s\S]+)$`

export const planTodos: OwnRule = ({ text, known }) => {
  const tool = known.given.get('write_todos')
  const listed = tool && planning.exec(text)?.[1]
  if (!tool || !listed) return undefined
  const items = listed
    .split(/[\n,，;；、]+/)
    .map((item) => item.replace(/^\s*(?:[-*•]|\d{1,3}[.)、])\s*/, '').trim())
    .filter((item) => item !== '')
  const [list] = readFields(tool.parameters).filter(({ type }) => type === 'array')
  const todos = items.slice(0, 50).map((item, index) => toTodo(item, index, list?.items))
  return calling({ name: 'write_todos', arguments: { [list?.name ?? 'todos']: todos } })
}

/** As the schema of an item asks: its text, the state `pending`, an id. */
function toTodo(content: string, index: number, schema: unknown): unknown {
  const fields = readFields(schema).filter(
    ({ isRequired, name }) => isRequired || name === 'status',
  )
  if (fields.length === 0)
    return isPlainObject(schema) && schema.type === 'string'
      ? content
      : { content, status: 'pending' }
  return Object.fromEntries(
    fields.map(({ name, values, type }) => {
      if (values.length > 0) return [name, values.includes('pending') ? 'pending' : values[0]]
      if (/id$/i.test(name)) return [name, type === 'string' ? `${index + 1}` : index + 1]
      return [name, content]
    }),
  )
}

/** The texts of what a call of `write_todos` keeps. */
export function todosOf(args: Readonly<Record<string, unknown>>): string[] {
  const list = Object.values(args).find(Array.isArray) ?? []
  return list.flatMap((todo: unknown) => {
    if (typeof todo === 'string') return [todo]
    return isPlainObject(todo) && typeof todo.content === 'string' ? [todo.content] : []
  })
}
