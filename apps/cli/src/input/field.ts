import { type Component, CURSOR_MARKER, Input, matchesKey } from '@earendil-works/pi-tui'
import { createPasteReader, toBracketed } from './paste.ts'

/** One line to type into. */
export interface Field extends Component {
  readonly text: string
  focused: boolean
  handleInput(data: string): void
}

export interface FieldOptions {
  /** Before the text, in the same line; painted or not. */
  label: string
  initial?: string | undefined
  /** What is typed is not shown. */
  isSecret?: boolean | undefined
  onSubmit(text: string): void
  onLeave(): void
  /** After each key that may have changed the text. */
  onChange?(text: string): void
}

/** A field that Enter sends and Esc or Ctrl+C leaves. */
export function createField(options: FieldOptions): Field {
  const { label, initial = '', isSecret = false, onSubmit, onLeave, onChange } = options
  const input = new Input({ prompt: label })
  const read = createPasteReader()
  input.setValue(initial)
  input.handleInput('\u001b[F')

  return {
    get text() {
      return input.getValue()
    },
    get focused() {
      return input.focused
    },
    set focused(focused) {
      input.focused = focused
    },
    handleInput(data) {
      if (matchesKey(data, 'enter')) return onSubmit(input.getValue())
      if (matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')) return onLeave()
      for (const part of read(data)) {
        input.handleInput(part.kind === 'keys' ? part.data : toBracketed(part.text))
      }
      onChange?.(input.getValue())
    },
    invalidate: () => input.invalidate(),
    render: (width) => (isSecret ? renderSecret(width) : input.render(width)).map(withoutBlock),
  }

  /** As many marks as fit, the cursor behind them: where in it one is, is not shown either. */
  function renderSecret(width: number): string[] {
    const shown = new Input({ prompt: label })
    shown.focused = input.focused
    shown.setValue('*'.repeat([...input.getValue()].length))
    shown.handleInput('\u001b[F')
    return shown.render(width)
  }
}

/** The terminal's own cursor is where the mark is; a painted one is not wanted besides. */
export function withoutBlock(line: string): string {
  return line
    .replace(`${CURSOR_MARKER}\u001b[7m`, CURSOR_MARKER)
    .replace('\u001b[7m', '')
    .replace('\u001b[27m', '')
    .replace('\u001b[0m', '')
}
