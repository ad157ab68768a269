import type { Clock } from '@dataagent/guard'
import { type Component, matchesKey, SelectList } from '@earendil-works/pi-tui'
import { createQuietGate } from '../hitl/index.ts'
import { createField } from '../input/index.ts'
import { type Theme, wrap } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import type { Choice } from './contract.ts'
import { words } from './words.ts'

export interface DialogOptions {
  theme: Theme
  lang: Lang
}

/** Something that stands in the place of the prompt until it is answered or left. */
export interface Dialog<T> {
  component: Component
  /** Undefined where it was left. */
  answer: Promise<T | undefined>
  leave(): void
}

const listRows = 10

export function createChoice<T>(
  title: string,
  items: readonly Choice<T>[],
  { theme, lang }: DialogOptions,
): Dialog<T> {
  const { promise, resolve } = Promise.withResolvers<T | undefined>()
  const shown = items.map(({ label, about }, index) => ({
    value: String(index),
    label,
    ...(about !== undefined && { description: about }),
  }))
  const list = new SelectList(shown, listRows, listTheme(theme))
  list.onSelect = ({ value }) => resolve(items[Number(value)]?.value)
  list.onCancel = () => resolve(undefined)
  const hint = theme.dim(words.choiceHint[lang])
  return {
    component: {
      render: (width) => [
        ...wrapStrong(title, theme, width),
        ...list.render(width),
        ...wrap(hint, width),
      ],
      invalidate: () => list.invalidate(),
      handleInput: (data) => list.handleInput(data),
    },
    answer: promise,
    leave: () => resolve(undefined),
  }
}

export function createTextQuestion(
  title: string,
  { isSecret = false, initial = '' }: { isSecret?: boolean; initial?: string },
  { theme, lang }: DialogOptions,
): Dialog<string> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const field = createField({
    ...{ label: '> ', initial, isSecret, onSubmit: resolve },
    onLeave: () => resolve(undefined),
  })
  field.focused = true
  const hint = theme.dim(words.textHint[lang])
  return {
    component: {
      render: (width) => [
        ...wrapStrong(title, theme, width),
        ...field.render(width),
        ...wrap(hint, width),
      ],
      invalidate: () => {},
      handleInput: field.handleInput,
    },
    answer: promise,
    leave: () => resolve(undefined),
  }
}

/** Text that was meant for the prompt answers nothing: a yes may start a stranger's program. */
export function createConfirmation(
  question: string,
  { theme, lang, clock }: DialogOptions & { clock: Clock },
): Dialog<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean | undefined>()
  const gate = createQuietGate(clock)
  const hint = theme.dim(words.confirmHint[lang])
  return {
    component: {
      render: (width) => [...wrapStrong(question, theme, width), ...wrap(hint, width)],
      invalidate: () => {},
      handleInput(data) {
        if (matchesKey(data, 'escape')) resolve(false)
        else if (gate.isEarly()) return
        else if (data === 'y' || data === 'Y') resolve(true)
        else if (data === 'n' || data === 'N') resolve(false)
      },
    },
    answer: promise,
    leave: () => resolve(undefined),
  }
}

function wrapStrong(text: string, { strong }: Theme, width: number): string[] {
  return text.split('\n').flatMap((line) => wrap(strong(line), width))
}

function listTheme({ accent, dim, strong, glyphs }: Theme) {
  return {
    selectedPrefix: () => accent(`${glyphs.prompt} `),
    selectedText: (text: string) => accent(strong(text)),
    description: dim,
    scrollInfo: dim,
    noMatch: dim,
  }
}
