import {
  type Component,
  CURSOR_MARKER,
  Editor,
  type EditorTheme,
  isKeyRelease,
  matchesKey,
  type TUI,
} from '@earendil-works/pi-tui'
import { cut, type Screen, type Theme, toPlainLine } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import { createCompleter } from './completer.ts'
import type { Complete } from './contract.ts'
import { editorWidthMin, frameEditor, indent, markFrame } from './editor-frame.ts'
import { type ExternalEdit, editExternally } from './external-editor.ts'
import type { History } from './history.ts'
import { createHistorySearch, type HistorySearch } from './history-search.ts'
import { isKeyOf, type KeyBindings } from './keys.ts'
import { createPasteReader, toBracketed } from './paste.ts'
import { words } from './words.ts'

/** Where a person writes: an editor of 1 to 10 rows, with what waits to be sent above it. */
export interface Prompt extends Component {
  focused: boolean
  /** All that is typed, pastes unfolded. */
  readonly text: string
  readonly isEmpty: boolean
  /** A list of completions or the search is open: Esc is for that. */
  readonly isBusy: boolean
  handleInput(data: string): void
  /** Can be undone. */
  setText(text: string): void
  /** Takes away what is typed; the search where that is open. */
  clear(): void
  /** Messages that wait for the turn under way, the next one first. */
  setQueued(messages: readonly string[]): void
  searchHistory(): void
  /** The draft in the person's own editor; what it left is taken over. */
  editExternally(): Promise<ExternalEdit>
}

export interface PromptOptions {
  screen: Screen
  /** This and `lang` are read at each frame: a getter makes a change show. */
  theme: Theme
  lang: Lang
  history: History
  complete: Complete
  bindings: KeyBindings
  /** Of this process, for the external editor. */
  env: Readonly<Record<string, string | undefined>>
  /** Never empty. */
  onSubmit(text: string): void
  /** Esc or Ctrl+C that nobody else took. */
  onCancel?(): void
  /** The message of the queue at this place was taken back into the editor. */
  onTakeBack?(index: number): void
}

const queuedRows = 3

export function createPrompt(options: PromptOptions): Prompt {
  const { screen, history, bindings } = options
  const editor = new Editor(toTui(screen), toEditorTheme(options))
  const read = createPasteReader()
  let search: HistorySearch | undefined
  let queued: readonly string[] = []
  let isFocused = false
  let sent = ''
  editor.setAutocompleteProvider(createCompleter(options.complete))
  editor.onSubmit = submit
  void history.loaded.then(() => {
    for (const text of history.entries()) editor.addToHistory(text)
  })

  return {
    get focused() {
      return isFocused
    },
    set focused(focused) {
      isFocused = focused
      editor.focused = focused
      if (search !== undefined) search.focused = focused
    },
    get text() {
      return editor.getExpandedText()
    },
    get isEmpty() {
      return search === undefined && isEmpty()
    },
    get isBusy() {
      return search !== undefined || editor.isShowingAutocomplete()
    },
    handleInput(data) {
      if (isKeyRelease(data)) return
      if (search !== undefined) search.handleInput(data)
      else for (const part of read(data)) part.kind === 'keys' ? press(part.data) : paste(part.text)
      screen.requestRender()
    },
    invalidate: () => editor.invalidate(),
    setText,
    clear: () => (search === undefined ? setText('') : leaveSearch()),
    setQueued(messages) {
      queued = messages
      screen.requestRender()
    },
    searchHistory,
    async editExternally() {
      const { lang, env } = options
      const edit = await editExternally({ text: editor.getExpandedText(), screen, lang, env })
      if (edit.status === 'ok') setText(edit.text)
      return edit
    },
    render(width) {
      const { theme, lang } = options
      if (search !== undefined) return [...renderQueued(width), ...search.render(width)]
      const lines = editor.render(Math.max(editorWidthMin, width - indent))
      const framed = frameEditor(lines, { theme, lang, width })
      if (isEmpty()) framed[1] = renderPlaceholder(width)
      return [...renderQueued(width), ...framed]
    },
  }

  function isEmpty(): boolean {
    return editor.getText() === ''
  }

  function setText(text: string): void {
    editor.setText(text)
    screen.requestRender()
  }

  function paste(text: string): void {
    editor.handleInput(toBracketed(text))
  }

  function press(data: string): void {
    const isListed = editor.isShowingAutocomplete()
    if (isListed && isEnter(data)) editor.handleInput('\r')
    else if (isKeyOf(bindings, 'newLine', data)) editor.handleInput(newLine)
    else if (isKeyOf(bindings, 'send', data)) send()
    else if (!isListed && isCancel(data)) options.onCancel?.()
    else if (isListed || !isKeyOf(bindings, 'previous', data) || !takeBack()) {
      editor.handleInput(toEditorKey(bindings, data))
    }
  }

  function send(): void {
    sent = editor.getExpandedText()
    editor.handleInput('\r')
  }

  function submit(text: string): void {
    if (text === '') return
    // The editor takes blanks away; one at the beginning keeps a line out of the history.
    if (!sent.startsWith(' ')) {
      editor.addToHistory(text)
      history.add(text)
    }
    sent = ''
    options.onSubmit(text)
  }

  /** The last message of the queue, for an editor that is empty. */
  function takeBack(): boolean {
    const text = queued.at(-1)
    if (text === undefined || !isEmpty()) return false
    queued = queued.slice(0, -1)
    setText(text)
    options.onTakeBack?.(queued.length)
    return true
  }

  function searchHistory(): void {
    const { theme, lang } = options
    const onTake = (text: string) => {
      leaveSearch()
      setText(text)
    }
    const onLeave = leaveSearch
    search = createHistorySearch({ entries: history.entries, theme, lang, onTake, onLeave })
    search.focused = isFocused
    screen.requestRender()
  }

  function leaveSearch(): void {
    search = undefined
    screen.requestRender()
  }

  function renderPlaceholder(width: number): string {
    const { theme, lang } = options
    const text = cut(words.placeholder[lang], Math.max(0, width - indent - 1), '')
    const mark = isFocused ? CURSOR_MARKER : ''
    return `${theme.accent(theme.glyphs.prompt)} ${mark}${theme.dim(text)}`
  }

  function renderQueued(width: number): string[] {
    const { theme, lang } = options
    const shown = queued.slice(-queuedRows)
    const more = queued.length - shown.length
    const lines = shown.map((text) => `${words.queued[lang]}: ${toPlainLine(text)}`)
    if (more > 0) lines.unshift(words.moreQueued(more)[lang])
    if (shown.length > 0) lines.push(words.takeBack[lang])
    return lines.map((line) => theme.dim(cut(line, width, theme.glyphs.ellipsis)))
  }
}

/** As a terminal with the kitty keys sends Shift+Enter, which the editor takes for nothing else. */
const newLine = '\u001b[13;2u'

/** Not Ctrl+J, which some terminals send as others send Enter. */
function isEnter(data: string): boolean {
  return data !== '\n' && matchesKey(data, 'enter')
}

function isCancel(data: string): boolean {
  return matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')
}

/** The editor has keys of its own for these. */
function toEditorKey(bindings: KeyBindings, data: string): string {
  if (isKeyOf(bindings, 'complete', data)) return '\t'
  if (isKeyOf(bindings, 'previous', data)) return '\u001b[A'
  return isKeyOf(bindings, 'next', data) ? '\u001b[B' : data
}

/** Of the screen, the editor asks for frames and how tall it is: 5 to 10 rows are 0.3 of that. */
function toTui(screen: Screen): TUI {
  const terminal = {
    get rows() {
      const shown = Math.min(10, Math.max(5, Math.floor(screen.rows * 0.4)))
      return Math.ceil(shown / 0.3)
    },
  }
  return { terminal, requestRender: () => screen.requestRender() } as unknown as TUI
}

/** Paints with the theme that is set when it paints. */
function toEditorTheme(options: { theme: Theme }): EditorTheme {
  const dim = (text: string) => options.theme.dim(text)
  const selected = (text: string) => {
    const { theme } = options
    return theme.accent(theme.isAscii ? text.replace('→', '>') : text)
  }
  return {
    borderColor: markFrame,
    selectList: {
      selectedPrefix: selected,
      selectedText: selected,
      description: dim,
      scrollInfo: dim,
      noMatch: dim,
    },
  }
}
