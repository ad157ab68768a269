import type { ServerConfigInput } from '@dataagent/schema'
import { useIsAdmin } from '../api/api-context.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { useWords } from '../words/use-words.ts'
import { examples, exampleWords, formats } from './examples.ts'

interface ExampleListProps {
  disabled?: boolean
  /** One below the other, beside a form. */
  isNarrow?: boolean
  onUse(config: ServerConfigInput): void
}

/** Servers to begin with. */
export function ExampleList({ disabled, isNarrow, onUse }: ExampleListProps) {
  const words = useWords(exampleWords)
  const isAdmin = useIsAdmin()
  return (
    <ul className={isNarrow ? 'flex flex-col gap-2' : 'grid gap-3 md:grid-cols-2 lg:grid-cols-3'}>
      {examples.map(({ id, config, link }) => (
        <li
          key={id}
          className="flex flex-col items-start gap-1.5 rounded-xl border border-line bg-panel p-3"
        >
          <p className="text-sm text-soft">
            {words.examples[id]} {!isAdmin && 'command' in config && words.needsAdmin}
          </p>
          <div className="mt-auto flex flex-wrap items-center gap-2">
            <Button
              size="small"
              disabled={disabled || (!isAdmin && 'command' in config)}
              onClick={() => onUse(config)}
            >
              {words.use(config.name)}
            </Button>
            <a
              href={link}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className="text-[13px] text-accent underline"
            >
              {words.more}
            </a>
          </div>
        </li>
      ))}
    </ul>
  )
}

interface FormatListProps {
  disabled?: boolean
  onUse(text: string): void
}

/** How configurations look. */
export function FormatList({ disabled, onUse }: FormatListProps) {
  const words = useWords(exampleWords)
  return (
    <ul className="grid gap-3 md:grid-cols-2">
      {formats.map(({ name, text }) => (
        <li key={name} className="flex min-w-0 flex-col rounded-xl border border-line bg-panel">
          <div className="flex items-center justify-between gap-2 border-b border-line px-3 py-1.5">
            <h3 className="text-sm font-medium">{name}</h3>
            <div className="flex gap-1">
              <CopyButton text={text} />
              <Button size="small" disabled={disabled} onClick={() => onUse(text)}>
                {words.pasteIt}
              </Button>
            </div>
          </div>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
            tabIndex={0}
            className="max-h-56 overflow-auto px-3 py-2 text-[13px]"
          >
            {text}
          </pre>
        </li>
      ))}
    </ul>
  )
}
