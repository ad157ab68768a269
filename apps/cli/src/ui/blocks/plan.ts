import type { Todo } from '@dataagent/schema'
import { type Look, say } from '../look.ts'
import { toPlainLine } from '../sanitize.ts'
import { wrapWith } from '../width.ts'
import { words } from '../words.ts'

/** The plan: how far it is, and its steps with their marks. */
export function renderPlan(todos: readonly Todo[], look: Look, width: number): string[] {
  if (todos.length === 0) return [look.theme.dim(say(look, words.noPlan))]
  const done = todos.filter(({ status }) => status === 'completed').length
  const title = `${say(look, words.plan)} ${done}/${todos.length}`
  return [look.theme.strong(title), ...todos.flatMap((todo) => renderTodo(todo, look, width))]
}

/** A plan with the same steps as before is told by those that changed. */
export function renderPlanChange(
  before: readonly Todo[],
  after: readonly Todo[],
  look: Look,
  width: number,
): string[] {
  const isSame =
    before.length === after.length &&
    before.every(({ content }, i) => content === after[i]?.content)
  if (!isSame) return after.length === 0 ? [] : renderPlan(after, look, width)
  const changed = after.filter(({ status }, i) => status !== before[i]?.status)
  return changed.flatMap((todo) => renderTodo(todo, look, width))
}

function renderTodo({ content, status }: Todo, { theme }: Look, width: number): string[] {
  const { glyphs } = theme
  const text = toPlainLine(content, 400, glyphs.ellipsis)
  if (status === 'completed') {
    return wrapWith(`${theme.good(glyphs.done)} `, '  ', theme.dim(text), width)
  }
  if (status === 'in_progress') {
    return wrapWith(`${theme.accent(glyphs.prompt)} `, '  ', theme.strong(text), width)
  }
  return wrapWith(`${glyphs.pending} `, '  ', text, width)
}
